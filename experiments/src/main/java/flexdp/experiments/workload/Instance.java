package flexdp.experiments.workload;

/**
 * A table under an alias.
 *
 * @param whole whether all columns of the table are there; a subquery may show a few only
 */
record Instance(RideTable table, String alias, boolean whole) {
  static Instance of(RideTable table, String alias) {
    return new Instance(table, alias, true);
  }

  String column(String name) {
    return alias + "." + name;
  }
}
