module logsummary

go 1.27
