package flexdp.gateway.render;

/**
 * An exact value that may be anything where the condition is not true, and stands for NULL there.
 */
public record Conditional(String sql, String condition) {}
