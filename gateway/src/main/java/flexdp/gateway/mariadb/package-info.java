/** MariaDB and MySQL: how they spell SQL, what their catalog tells, and their notes of changes. */
package flexdp.gateway.mariadb;
