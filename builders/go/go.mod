module github.com/hotframe/hotframe/builders/go

go 1.19
