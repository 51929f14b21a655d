# Sequel reads the catalogue: sequel.rb PORT
require 'sequel'
db = Sequel.connect(adapter: 'postgres', host: '127.0.0.1', port: ARGV[0].to_i, user: 'ann', database: 'rides')
db.tables
db.views
%i[trips cities].each do |table|
  db.schema(table)
  db.indexes(table)
  db.foreign_key_list(table)
  db.foreign_key_list(table, reverse: true)
  db.primary_key(table)
  db.primary_key_sequence(table)
  db.check_constraints(table)
end
db.type_supported?(:int4)
