package flexdp.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * TPC-H with people: who owns which of its tables; the others are public.
 *
 * @param kinds of people, each with the column whose value is the person
 * @param owners what a table says of its owners, and of how many of their rows are read
 */
record OwnedWorld(String name, Map<String, String> kinds, Map<String, String> owners) {
  private static final Path PLAIN = Path.of("core/src/test/resources/tpch/tpch.policy.yaml");
  private static final String CUSTOMER = "customer.c_custkey";
  private static final String SUPPLIER = "supplier.s_suppkey";

  static final OwnedWorld CUSTOMERS =
      new OwnedWorld(
          "customers",
          Map.of("customer", CUSTOMER),
          Map.of(
              "customer", "owners: {customer: c_custkey}",
              "orders", "owners: {customer: o_custkey}",
              "lineitem", "owners: {customer: l_orderkey.o_custkey}"));

  static final OwnedWorld SUPPLIERS =
      new OwnedWorld(
          "suppliers",
          Map.of("supplier", SUPPLIER),
          Map.of(
              "supplier", "owners: {supplier: s_suppkey}",
              "partsupp", "owners: {supplier: ps_suppkey}",
              "lineitem", "owners: {supplier: l_suppkey}"));

  static final OwnedWorld PURCHASES =
      new OwnedWorld(
          "purchases",
          Map.of("purchase", "orders.o_orderkey"),
          Map.of(
              "orders", "owners: {purchase: o_orderkey}",
              "lineitem", "owners: {purchase: l_orderkey}"));

  /** Two kinds, and a table of both. */
  static final OwnedWorld TRADE =
      new OwnedWorld(
          "trade",
          Map.of("customer", CUSTOMER, "supplier", SUPPLIER),
          Map.of(
              "customer", "owners: {customer: c_custkey}",
              "orders", "owners: {customer: o_custkey}",
              "supplier", "owners: {supplier: s_suppkey}",
              "lineitem", "owners: {customer: l_orderkey.o_custkey, supplier: l_suppkey}"));

  static final OwnedWorld DELIVERIES =
      new OwnedWorld(
          "deliveries",
          Map.of("purchase", "orders.o_orderkey", "supplier", SUPPLIER),
          Map.of(
              "orders", "owners: {purchase: o_orderkey}",
              "supplier", "owners: {supplier: s_suppkey}",
              "lineitem", "owners: {purchase: l_orderkey, supplier: l_suppkey}"));

  /** Of each person so many rows are read. */
  static final OwnedWorld CUT =
      new OwnedWorld(
          "cut",
          Map.of("customer", CUSTOMER, "supplier", SUPPLIER),
          Map.of(
              "customer", "owners: {customer: c_custkey}\n    rowsPerPerson: 1",
              "orders", "owners: {customer: o_custkey}\n    rowsPerPerson: 30",
              "lineitem", "owners: {customer: l_orderkey.o_custkey}\n    rowsPerPerson: 120",
              "supplier", "owners: {supplier: s_suppkey}\n    rowsPerPerson: 1",
              "partsupp", "owners: {supplier: ps_suppkey}\n    rowsPerPerson: 80"));

  /** What questions that mix people join by. */
  static final String CUT_KEYS =
      "lineitem.l_partkey, lineitem.l_orderkey, partsupp.ps_partkey, orders.o_orderdate";

  /** Whether questions need metrics. */
  boolean isCut() {
    return name.equals(CUT.name);
  }

  /** The policy of TPC-H, in which these tables have owners. */
  String yaml() throws IOException {
    // Keys of orders are stored as integers here.
    String text =
        Files.readString(PLAIN)
            .replace("type: bigint", "type: integer")
            .replace(
                "l_orderkey:      {type: integer, nullable: false}",
                "l_orderkey:      {type: integer, nullable: false, references: orders.o_orderkey}");
    String people =
        kinds.entrySet().stream()
            .map(kind -> "  " + kind.getKey() + ": {key: " + kind.getValue() + "}\n")
            .sorted()
            .collect(Collectors.joining("", "people:\n", ""));
    StringBuilder made = new StringBuilder();
    for (String line : text.split("\n")) {
      made.append(line.equals("tables:") ? people + line : line).append('\n');
      String table = line.matches("  \\w+:\\s*") ? line.strip().replace(":", "") : "";
      if (owners.containsKey(table)) {
        made.append("    ").append(owners.get(table)).append('\n');
      } else if (line.matches("  (supplier|customer|part|partsupp|orders|lineitem):\\s*")) {
        made.append("    public: true\n");
      }
    }
    return made.toString();
  }
}
