/** SQLite: how it spells SQL, what its catalog tells, and functions we add to it. */
package flexdp.gateway.sqlite;
