"""psycopg2 and SQLAlchemy at the door: prints what they got, one line each."""
import io
import os
import sys
import warnings

import psycopg2
import sqlalchemy

warnings.filterwarnings("ignore")
port = int(sys.argv[1])
password = os.environ["PGPASSWORD"]

connection = psycopg2.connect(host="127.0.0.1", port=port, user="ann", password=password, dbname="rides")
cursor = connection.cursor()
cursor.execute(
    "SELECT status, count(*), sum(fare) FROM trips WHERE city_id = %s AND status IN %s GROUP BY status ORDER BY status",
    (1, ("completed", "cancelled")))
rows = cursor.fetchall()
print("rows", len(rows), rows[0][0], type(rows[0][1]).__name__, type(rows[0][2]).__name__)
print("notice", next(n for n in reversed(connection.notices) if "spent" in n).strip())
named = connection.cursor("some")
named.itersize = 7
named.execute("SELECT id FROM cities ORDER BY id")
print("named", len(list(named)))
named.close()
connection.rollback()
copied = io.StringIO()
cursor.copy_expert("COPY (SELECT name, country FROM cities ORDER BY name) TO STDOUT WITH CSV HEADER", copied)
print("copied", copied.getvalue().splitlines()[1])
try:
    cursor.execute("SELECT * FROM trips")
except psycopg2.Error as e:
    print("error", type(e).__name__, e.pgcode)
connection.rollback()
connection.close()

engine = sqlalchemy.create_engine(
    sqlalchemy.engine.URL.create("postgresql+psycopg2", "ann", password, "127.0.0.1", port, "rides"))
inspector = sqlalchemy.inspect(engine)
print("tables", ",".join(sorted(inspector.get_table_names())))
for table in sorted(inspector.get_table_names()):
    columns = ["%s %s%s" % (c["name"], c["type"], "" if c["nullable"] else "!") for c in inspector.get_columns(table)]
    print(table, columns)
    key = inspector.get_pk_constraint(table)  # newer versions tell more of it
    print(table, {name: key[name] for name in ("constrained_columns", "name")})
    print(table, sorted(str(sorted(k.items())) for k in inspector.get_foreign_keys(table)))
    print(table, sorted(str(sorted(k.items())) for k in inspector.get_unique_constraints(table)))
    print(table, sorted(str(sorted((a, b) for a, b in k.items() if a != "dialect_options")) for k in inspector.get_indexes(table)))
metadata = sqlalchemy.MetaData()
metadata.reflect(engine)
print("reflected", len(metadata.tables))
