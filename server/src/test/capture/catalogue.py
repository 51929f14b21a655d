"""SQLAlchemy or psycopg2 reads the catalogue: catalogue.py CLIENT PORT."""
import sys
import warnings

import psycopg2
import psycopg2.extras
import sqlalchemy

warnings.filterwarnings("ignore")
client, port = sys.argv[1], int(sys.argv[2])


def with_psycopg2():
    connection = psycopg2.connect(host="127.0.0.1", port=port, user="ann", dbname="rides")
    try:
        psycopg2.extras.register_composite("trips", connection)
    except psycopg2.ProgrammingError:
        pass
    connection.close()


def with_sqlalchemy():
    engine = sqlalchemy.create_engine(sqlalchemy.engine.URL.create("postgresql+psycopg2", "ann", None, "127.0.0.1", port, "rides"))
    inspector = sqlalchemy.inspect(engine)
    inspector.get_schema_names()
    inspector.get_view_names()
    inspector.get_enums()
    for table in inspector.get_table_names():
        for look in ("columns", "pk_constraint", "foreign_keys", "unique_constraints", "indexes", "check_constraints", "table_comment"):
            getattr(inspector, "get_" + look)(table)
        inspector.has_table(table)
    metadata = sqlalchemy.MetaData()
    metadata.reflect(engine)


{"psycopg2": with_psycopg2, "sqlalchemy": with_sqlalchemy}[client]()
