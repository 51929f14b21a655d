"""psqlODBC through pyodbc: what SQLTables, SQLColumns, SQLPrimaryKeys and SQLForeignKeys ask."""

import os
import sys

import pyodbc

connection = pyodbc.connect(
    "Driver=PostgreSQL Unicode;Servername=127.0.0.1;Port=%s;Database=rides;Username=ann;Password=%s;"
    "SSLmode=require" % (sys.argv[1], os.environ["PGPASSWORD"])
)


def rows(ask):
    return ask(connection.cursor()).fetchall()


print("tables", len([r for r in rows(lambda c: c.tables()) if r.table_name == "trips"]))
print("primary", [r.column_name for r in rows(lambda c: c.primaryKeys("trips"))])
foreign = rows(lambda c: c.foreignKeys(foreignTable="trips"))
print("foreign", sorted({(r.fkcolumn_name, r.pktable_name) for r in foreign}))
print("to", len(rows(lambda c: c.foreignKeys(table="cities"))) > 0)
