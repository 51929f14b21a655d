/**
 * Databases as the gateway uses them: read-only, one snapshot per question, silent about errors.
 */
package flexdp.gateway.database;
