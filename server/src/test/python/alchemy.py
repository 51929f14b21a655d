"""SQLAlchemy 2 over psycopg 3, pg8000 and asyncpg: prints what it got, one line each."""
import asyncio
import os
import sys
import warnings

import sqlalchemy
from sqlalchemy.ext import asyncio as alchemy

warnings.filterwarnings("ignore")
port = int(sys.argv[1])
password = os.environ["PGPASSWORD"]


def url(driver):
    return sqlalchemy.engine.URL.create("postgresql+" + driver, "ann", password, "127.0.0.1", port, "rides")


def look(name, connection):
    inspector = sqlalchemy.inspect(connection)
    metadata = sqlalchemy.MetaData()
    metadata.reflect(connection)
    print(name, "reflected", ",".join(sorted(metadata.tables)))
    columns = [c["name"] + " " + str(c["type"]) for c in inspector.get_columns("drivers")]
    print(name, "columns", ",".join(columns))
    print(name, "keys", inspector.get_pk_constraint("drivers")["constrained_columns"],
          sorted(k["referred_table"] for k in inspector.get_foreign_keys("drivers")),
          [k["column_names"] for k in inspector.get_indexes("drivers")],
          [k["column_names"] for k in inspector.get_unique_constraints("drivers")])
    cities, trips = metadata.tables["cities"], metadata.tables["trips"]
    rows = connection.execute(sqlalchemy.select(cities.c.id).order_by(cities.c.id).limit(3).offset(1)).all()
    print(name, "limit", [row[0] for row in rows])
    counted = (
        sqlalchemy.select(trips.c.status, sqlalchemy.func.count().label("n"))
        .where(trips.c.fare.between(1, 400), trips.c.status.in_(["completed", "cancelled"]))
        .group_by(trips.c.status)
        .order_by(trips.c.status)
        .limit(2)
    )
    rows = connection.execute(counted).all()
    print(name, "counted", [row[0] for row in rows], type(rows[0][1]).__name__)
    try:
        connection.execute(sqlalchemy.select(trips)).all()
    except sqlalchemy.exc.DBAPIError as e:
        print(name, "refused", type(e).__name__)
    connection.rollback()


async def asynchronous():
    engine = alchemy.create_async_engine(url("asyncpg"))
    async with engine.connect() as connection:
        await connection.run_sync(lambda c: look("asyncpg", c))
    await engine.dispose()


for driver in ("psycopg", "pg8000"):
    engine = sqlalchemy.create_engine(url(driver))
    with engine.connect() as connection:
        look(driver, connection)
    engine.dispose()
asyncio.run(asynchronous())
