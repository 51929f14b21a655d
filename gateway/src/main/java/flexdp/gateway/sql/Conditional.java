package flexdp.gateway.sql;

/**
 * An exact value that may be anything where the condition is not true, and stands for NULL there.
 */
record Conditional(String sql, String condition) {}
