"""asyncpg: binary both ways, types by an array of their numbers, vectors, LIMIT with a cast."""

import asyncio
import os
import sys

import asyncpg
from asyncpg import introspection


async def main():
    connection = await asyncpg.connect(
        host="127.0.0.1",
        port=int(sys.argv[1]),
        user="ann",
        password=os.environ["PGPASSWORD"],
        database="rides",
        ssl="disable",
    )
    rows = await connection.fetch(
        "SELECT status, count(*) AS n FROM trips WHERE fare > $1 GROUP BY status", 3
    )
    print("labels", ",".join(sorted(row["status"] for row in rows)), type(rows[0]["n"]).__name__)
    rows = await connection.fetch("SELECT id FROM cities ORDER BY id LIMIT $1::INTEGER", 2)
    print("limit", [row["id"] for row in rows])
    rows = await connection.fetch(introspection.INTRO_LOOKUP_TYPES, [1007])
    print("types", sorted({row["name"] for row in rows}))
    row = await connection.fetchrow(
        "SELECT i.indkey FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
        " WHERE c.relname = 'trips_pkey'"
    )
    print("vector", list(row["indkey"]))
    await connection.reset()
    await connection.close()


asyncio.run(main())
