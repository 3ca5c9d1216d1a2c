# SPDX-License-Identifier: GPL-2.0
# The modules for one of nixpkgs' kernels. In a NixOS configuration:
#
#   boot.extraModulePackages =
#     [ (config.boot.kernelPackages.callPackage /path/to/this/tree/packaging/nix { }) ];
#   boot.kernelModules = [ "tcp_mswift" ];
#
# kernelModuleMakeFlags is part of kernelPackages from 24.11 on.
{ lib, kernel, kernelModuleMakeFlags ? kernel.makeFlags }:

let
  kdir = "${kernel.dev}/lib/modules/${kernel.modDirVersion}/build";
  version = builtins.head (builtins.match ".*\nPACKAGE_VERSION=\"([^\"]*)\".*"
    (builtins.readFile ../../dkms.conf));
in
kernel.stdenv.mkDerivation {
  pname = "tcp-dcc";
  version = "${version}-${kernel.version}";
  src = lib.sourceByRegex ../.. [
    "Makefile" "Kbuild" "dkms.conf" "COPYING" "scripts" "scripts/kdir-check\\.sh"
    "common" "common/[a-z]+" "(tcp|dcc)_[a-z]+"
    "(common|common/[a-z]+|(tcp|dcc)_[a-z]+)/(Kbuild|[a-z0-9_]*\\.(c|h|mk))"
  ];

  nativeBuildInputs = kernel.moduleBuildDependencies;
  hardeningDisable = [ "pic" ];
  makeFlags = kernelModuleMakeFlags ++ [ "KDIR=${kdir}" ];
  buildFlags = [ "modules" ];
  enableParallelBuilding = true;

  # Kbuild's own target: NixOS runs depmod over all packages of modules together.
  installPhase = ''
    runHook preInstall
    make $makeFlags -C ${kdir} M="$PWD" INSTALL_MOD_PATH="$out" \
      INSTALL_MOD_DIR=updates/dcc DEPMOD=true modules_install
    runHook postInstall
  '';

  meta = {
    description = "TCP congestion control for sprayed datacenter flows";
    license = lib.licenses.gpl2Only;
    platforms = lib.platforms.linux;
  };
}
