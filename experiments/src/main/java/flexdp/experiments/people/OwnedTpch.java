package flexdp.experiments.people;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.util.LinkedHashMap;
import java.util.Map;

/** A policy for TPC-H in which some tables have owners and the others are public. */
final class OwnedTpch {
  private static final Map<String, String> KEYS =
      Map.of(
          "customer", "customer.c_custkey",
          "supplier", "supplier.s_suppkey",
          "purchase", "orders.o_orderkey");
  private static final String KEY = "{type: integer, nullable: false, unique: true}";
  private static final String NUMBER = "{type: integer, nullable: false}";
  private static final String DAY = "{type: date, nullable: false}";
  private static final Map<String, String> COLUMNS = columns();

  private OwnedTpch() {}

  private static Map<String, String> columns() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("region", "r_regionkey: " + KEY);
    all.put("nation", "n_nationkey: " + KEY + ", n_regionkey: " + NUMBER);
    all.put("supplier", "s_suppkey: " + KEY + ", s_nationkey: " + NUMBER);
    all.put("customer", "c_custkey: " + KEY + ", c_nationkey: " + NUMBER);
    all.put(
        "partsupp",
        "ps_partkey: "
            + NUMBER
            + ", ps_suppkey: "
            + NUMBER
            + ", ps_availqty: {type: integer, nullable: false, range: [0, 10000]}"
            + ", ps_supplycost: {type: \"decimal(15,2)\", nullable: false, range: [0, 1000]}");
    all.put("orders", "o_orderkey: " + KEY + ", o_custkey: " + NUMBER + ", o_orderdate: " + DAY);
    all.put(
        "lineitem",
        "l_orderkey: {type: integer, nullable: false, references: orders.o_orderkey}, l_partkey: "
            + NUMBER
            + ", l_suppkey: "
            + NUMBER
            + ", l_quantity: {type: \"decimal(15,2)\", nullable: false, range: [0, 50]}"
            + ", l_extendedprice: {type: \"decimal(15,2)\", nullable: false, range: [0, 110000]}"
            + ", l_discount: {type: \"decimal(15,2)\", nullable: false, range: [0, 0.1]}");
    return all;
  }

  static Policy policy(OwnedQuestion asked) {
    StringBuilder text = new StringBuilder("people:\n");
    asked
        .kinds()
        .forEach(k -> text.append("  ").append(k).append(": {key: " + KEYS.get(k) + "}\n"));
    text.append("tables:\n");
    COLUMNS.forEach(
        (name, columns) -> {
          String owners = asked.tables().get(name);
          text.append("  ").append(name).append(": {");
          text.append(owners == null ? "public: true" : "owners: {" + owners + "}");
          text.append(", columns: {").append(columns).append("}}\n");
        });
    return PolicyReader.read(YamlText.tree(text.toString(), Code.BAD_POLICY));
  }
}
