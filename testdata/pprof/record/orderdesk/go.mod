module orderdesk

go 1.25
