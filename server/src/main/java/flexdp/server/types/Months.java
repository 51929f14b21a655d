package flexdp.server.types;

/** An interval of whole months, where a bare number would be one of microseconds. */
public record Months(long count) {}
