# ActiveRecord reads the catalogue: activerecord.rb PORT
require 'active_record'
ActiveRecord::Base.establish_connection(adapter: 'postgresql', host: '127.0.0.1', port: ARGV[0].to_i, username: 'ann', database: 'rides')
db = ActiveRecord::Base.connection
db.tables
db.views
%w[trips cities].each do |table|
  db.columns(table)
  db.indexes(table)
  db.primary_key(table)
  db.foreign_keys(table)
  db.table_comment(table)
end
db.schema_names
db.current_schema
db.encoding
db.collation
db.ctype
db.extensions
db.table_exists?('trips')
