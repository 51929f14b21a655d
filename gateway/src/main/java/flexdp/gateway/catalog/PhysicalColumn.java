package flexdp.gateway.catalog;

import flexdp.policy.Type;

/**
 * A column as the database has it.
 *
 * @param typeName the database's own word
 * @param type the nearest type of a policy; {@code OPAQUE} when there is none
 * @param notNull enforced by the database
 */
public record PhysicalColumn(String name, String typeName, Type type, boolean notNull) {}
