// Node's libraries read the catalogue: catalogue.js CLIENT PORT.
const [client, port] = [process.argv[2], Number(process.argv[3])];
const at = { host: '127.0.0.1', port, user: 'ann', database: 'rides' };

const READ = {
  async node() {
    const { Client } = require('pg');
    const one = new Client(at);
    await one.connect();
    for (const sql of [
      "SELECT table_name FROM information_schema.tables WHERE table_schema='public' ORDER BY 1",
      "SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name='trips' ORDER BY ordinal_position",
      'SELECT version()', 'SELECT current_database(), current_user', "SELECT oid, typname FROM pg_type WHERE typtype='b' ORDER BY oid",
    ]) await one.query(sql);
    await one.query('SELECT oid, typarray FROM pg_type WHERE typname = $1', ['int4']);
    await one.end();
  },
  async knex() {
    const knex = require('knex')({ client: 'pg', connection: { ...at }, acquireConnectionTimeout: 20_000 });
    await knex.schema.hasTable('trips');
    await knex.schema.hasColumn('trips', 'fare');
    await knex('trips').columnInfo();
    await knex.destroy();
  },
  async kysely() {
    const { Kysely, PostgresDialect } = require('kysely');
    const { Pool } = require('pg');
    const db = new Kysely({ dialect: new PostgresDialect({ pool: new Pool(at) }) });
    await db.introspection.getSchemas();
    await db.introspection.getTables();
    await db.introspection.getTables({ withInternalKyselyTables: true });
    await db.destroy();
  },
  async postgresjs() {
    const sql = require('postgres')({ host: at.host, port, user: at.user, database: at.database });
    await sql`select typname from pg_type where oid = ${25}`;
    await sql.end();
  },
  async sequelize() {
    const { Sequelize } = require('sequelize');
    const db = new Sequelize('rides', 'ann', '', { host: at.host, port, dialect: 'postgres', logging: false });
    await db.authenticate();
    const asked = db.getQueryInterface();
    await asked.showAllTables();
    await asked.showAllSchemas();
    for (const table of ['trips', 'users', 'cities']) {
      await asked.describeTable(table);
      await asked.showIndex(table);
      await asked.getForeignKeyReferencesForTable(table);
      await asked.showConstraint(table);
      await asked.tableExists(table);
    }
    await db.close();
  },
  async typeorm() {
    const { DataSource } = require('typeorm');
    const source = new DataSource({ type: 'postgres', host: at.host, port, username: at.user, database: at.database });
    await source.initialize();
    const asked = source.createQueryRunner();
    await asked.getTables();
    await asked.getTables(['trips', 'users']);
    await asked.getViews();
    await asked.hasTable('trips');
    await asked.hasColumn('trips', 'fare');
    await asked.hasSchema('public');
    await asked.release();
    await source.destroy();
  },
};

READ[client]().then(() => process.exit(0), (e) => {
  console.error(e);
  process.exit(1);
});
