# SPDX-License-Identifier: GPL-2.0
# What a source says of its place and of packages, as it is inside a kernel's tree.
s|^\(#include "\)\(\.\./\)\{0,1\}\(common/\)\{0,1\}\([a-z]*/\)\{0,1\}\(dcc\)|\1\5|
s|common/\([a-z]*/\)\{0,1\}dcc_|dcc_|g
s|(stack/dcc_|(dcc_|g
s|dcc_compat\.h|dcc_stack.h|g
s|_DCC_COMPAT_H|_DCC_STACK_H|g
s|Documentation/[a-z]*\.md\(, "Path\)\{0,1\}|Documentation/networking/dcc.rst\1|
s|What security\.md promises|The promise|
/^MODULE_VERSION/d
s|(DCC_AUTHOR)|("The tcp-dcc authors")|
/^\/\* What modinfo says/,/^#endif/d
s|^ \* build unchanged in the kernel, in unit tests, in fuzzers and in tools\.$| * build unchanged in unit tests, in fuzzers and in tools.|
s| Python and Go: tools/ccinfo\.||
