# DBD::Pg reads the catalogue: catalogue.pl PORT
use strict;
use warnings;
use DBI;
my $db = DBI->connect("dbi:Pg:host=127.0.0.1;port=$ARGV[0];dbname=rides", 'ann', '', { RaiseError => 1, PrintError => 0 });
$db->table_info(undef, 'public', '%', 'TABLE')->fetchall_arrayref;
for my $table (qw(trips users cities)) {
    $db->column_info(undef, 'public', $table, '%')->fetchall_arrayref;
    $db->primary_key_info(undef, 'public', $table)->fetchall_arrayref;
    $db->foreign_key_info(undef, undef, undef, undef, 'public', $table);
    $db->statistics_info(undef, 'public', $table, 0, 0)->fetchall_arrayref;
    $db->tables(undef, 'public', $table);
}
$db->type_info_all;
$db->disconnect;
