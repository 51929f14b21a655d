# The rules of the paper to the letter: no declared keys, no distance vectors, one frequency per column.
policy corpus/rides
rules paper
neighbors replace-one

SELECT COUNT(*) FROM trips a JOIN trips b ON a.driver_id = b.driver_id JOIN trips c ON b.driver_id = c.driver_id
----
accepted, joins 2
COUNT count: 3k² + 393k + 12871
