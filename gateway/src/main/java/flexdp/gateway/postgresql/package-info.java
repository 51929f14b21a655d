/** PostgreSQL: how it spells SQL, what its catalog tells, and its notes of changes. */
package flexdp.gateway.postgresql;
