package flexdp.experiments.workload;

/** A table under an alias. */
record Instance(RideTable table, String alias) {
  String column(String name) {
    return alias + "." + name;
  }
}
