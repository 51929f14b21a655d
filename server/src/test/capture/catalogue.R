# RPostgreSQL reads the catalogue: catalogue.R PORT
library(RPostgreSQL)
door <- dbConnect(PostgreSQL(), host = "127.0.0.1", port = as.integer(commandArgs(trailingOnly = TRUE)[1]), user = "ann", dbname = "rides")
dbListTables(door)
dbListFields(door, "trips")
dbExistsTable(door, "trips")
dbColumnInfo(dbSendQuery(door, "SELECT attrelid, attname FROM pg_attribute LIMIT 0"))
invisible(dbDisconnect(door))
