<?php
// PHP reads the catalogue: catalogue.php PORT
$db = pg_connect("host=127.0.0.1 port={$argv[1]} user=ann dbname=rides");
pg_meta_data($db, 'trips');
pg_meta_data($db, 'trips', true);
pg_meta_data($db, 'cities');
pg_meta_data($db, 'cities', true);
$rows = pg_query($db, 'SELECT id FROM trips WHERE false');
pg_field_table($rows, 0);
pg_field_type($rows, 0);
$pdo = new PDO("pgsql:host=127.0.0.1;port={$argv[1]};dbname=rides", 'ann');
$pdo->query('SELECT id FROM trips WHERE false')->getColumnMeta(0);
