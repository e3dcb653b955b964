module hotframe.dev/builder

go 1.19
