// Sequelize at the door: connects, reflects, counts; prints what it got, one line each.
const { Sequelize, DataTypes } = require('sequelize');

async function main() {
  const db = new Sequelize('rides', 'ann', process.env.PGPASSWORD, {
    dialect: 'postgres',
    host: '127.0.0.1',
    port: Number(process.argv[2]),
    logging: false,
    dialectOptions: { ssl: { rejectUnauthorized: false } },
  });
  await db.authenticate();
  const look = db.getQueryInterface();
  const tables = await look.showAllTables();
  console.log('tables', tables.map((t) => t.tableName ?? t).sort().join(','));
  console.log('cities', Object.keys(await look.describeTable('cities')).sort().join(','));
  const foreign = await look.getForeignKeyReferencesForTable('trips');
  console.log('foreign', foreign.filter((f) => f.columnName === 'city_id').map((f) => `${f.columnName}->${f.referencedTableName}`).join(','));
  const plain = { timestamps: false };
  const City = db.define('city', { name: DataTypes.STRING, country: DataTypes.STRING }, { ...plain, tableName: 'cities' });
  const Trip = db.define('trip', { status: DataTypes.STRING, fare: DataTypes.DECIMAL }, { ...plain, tableName: 'trips' });
  const cities = await City.findAll({ order: [['id', 'ASC']] });
  console.log('model', cities.length, cities.map((c) => c.name).sort()[0]);
  console.log('count', Number.isInteger(await Trip.count({ where: { status: 'completed' } })));
  const labels = await Trip.findAll({
    attributes: ['status', [Sequelize.fn('COUNT', Sequelize.col('*')), 'n']], group: ['status'], raw: true });
  console.log('labels', labels.map((l) => l.status).sort().join(','));
  try {
    await Trip.findAll({ attributes: ['fare'] });
  } catch (e) {
    console.log('error', e.original.code);
  }
  await db.close();
}

main().catch((e) => { console.log(e); process.exit(1); });
