module ferry

go 1.21
