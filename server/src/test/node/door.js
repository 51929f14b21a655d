// node-postgres at the door: prints what it got, one line each.
const { Client } = require('pg');
const Cursor = require('pg-cursor');

async function main() {
  const client = new Client({
    host: '127.0.0.1',
    port: Number(process.argv[2]),
    user: 'ann',
    password: process.env.PGPASSWORD,
    database: 'rides',
    ssl: { rejectUnauthorized: false },
  });
  client.on('notice', (n) => n.message.startsWith('spent') && console.log('notice', n.message));
  await client.connect();
  const histogram = await client.query(
    'SELECT status, count(*) FROM trips WHERE fare > $1 AND status = $2 GROUP BY status', [3.5, 'completed']);
  console.log('histogram', histogram.rows.length, histogram.rows[0].status, histogram.fields[1].dataTypeID);
  const named = { name: 'cities', text: 'SELECT name FROM cities WHERE id < $1 ORDER BY id' };
  for (const below of [3, 4]) {
    console.log('named', (await client.query({ ...named, values: [below] })).rows.map((r) => r.name).join(','));
  }
  const cursor = client.query(new Cursor('SELECT id FROM cities ORDER BY id'));
  console.log('cursor', (await cursor.read(2)).length, (await cursor.read(3))[2].id);
  await cursor.close();
  try {
    await client.query('SELECT nosuch FROM trips');
  } catch (e) {
    console.log('error', e.code, e.position, e.detail);
  }
  console.log('batch', (await client.query('SELECT 1 AS a; SELECT 2 AS b')).map((r) => JSON.stringify(r.rows)).join(' '));
  await client.end();
}

main().catch((e) => {
  console.log('failed', e);
  process.exit(1);
});
