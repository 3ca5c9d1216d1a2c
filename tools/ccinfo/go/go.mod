module ccinfo

go 1.19
