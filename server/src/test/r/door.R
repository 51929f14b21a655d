# RPostgreSQL at the door: how many labels, and which tables it sees.
library(RPostgreSQL)
port <- as.integer(commandArgs(trailingOnly = TRUE)[1])
door <- dbConnect(PostgreSQL(), host = "127.0.0.1", port = port, user = "ann", password = Sys.getenv("PGPASSWORD"), dbname = "rides")
rows <- dbGetQuery(door, "SELECT status, count(*) FROM trips GROUP BY status")
seen <- intersect(c("trips", "users"), dbListTables(door))
invisible(dbDisconnect(door))
cat(nrow(rows), seen, "\n")
