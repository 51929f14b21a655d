/**
 * From relations to SQL that a database runs. A {@link flexdp.gateway.render.TargetDialect} says
 * how one kind of database spells things; nothing is converted here that the algebra does not name.
 */
package flexdp.gateway.render;
