// SPDX-License-Identifier: GPL-2.0
module ccinfo

go 1.19
