package flexdp.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Kinds of people and whose rows are whose, as policies say it. */
class PeoplePolicyTest {
  private final Map<String, Object> tables = new LinkedHashMap<>();
  private final Map<String, Object> people = new LinkedHashMap<>();
  private final Map<String, Object> privacy = new LinkedHashMap<>();

  private static Map<String, Object> key() {
    return new LinkedHashMap<>(Map.of("type", "bigint", "unique", true, "nullable", false));
  }

  private static Map<String, Object> to(String target) {
    return new LinkedHashMap<>(Map.of("type", "bigint", "references", target));
  }

  private static Map<String, Object> number() {
    return new LinkedHashMap<>(Map.of("type", "bigint"));
  }

  private Map<String, Object> table(String name, Map<String, Object> columns, Object... more) {
    Map<String, Object> table = new LinkedHashMap<>(Map.of("columns", columns));
    for (int i = 0; i < more.length; i += 2) {
      table.put((String) more[i], more[i + 1]);
    }
    tables.put(name, table);
    return table;
  }

  /** Customers own orders, and lines over their orders. */
  private PeoplePolicyTest shop() {
    people.put("customer", new LinkedHashMap<>(Map.of("key", "customer.id", "nobody", List.of(0))));
    table("customer", Map.of("id", key()), "owners", Map.of("customer", "id"));
    table(
        "orders",
        Map.of("id", key(), "cust", to("customer.id")),
        "owners",
        new LinkedHashMap<>(Map.of("customer", "cust")));
    table(
        "lines",
        Map.of("ord", to("orders.id"), "part", number()),
        "owners",
        new LinkedHashMap<>(Map.of("customer", "ord.cust")),
        "rowsPerPerson",
        200);
    table("weather", Map.of("day", number()), "unit", "row");
    return this;
  }

  private Policy read() {
    return PolicyReader.read(Map.of("people", people, "tables", tables, "privacy", privacy));
  }

  private String refused() {
    ConfigurationError e = assertThrows(ConfigurationError.class, this::read);
    assertEquals(ConfigurationError.Code.BAD_POLICY, e.code());
    return e.message() + " | " + e.hint();
  }

  private void refused(String part, String hint) {
    String said = refused();
    assertTrue(said.substring(0, said.indexOf('|')).contains(part), said);
    assertTrue(said.substring(said.indexOf('|')).contains(hint), said);
  }

  @Test
  void kindsAndPathsAreRead() {
    Policy policy = shop().read();
    PersonKind customer = policy.people().get("customer");
    assertEquals(1, customer.nobody().size());
    Table lines = policy.table("lines").orElseThrow();
    OwnerPath owner = lines.ownership().only().orElseThrow();
    assertEquals("ord.cust", owner.path());
    assertEquals(List.of(new OwnerPath.Hop("orders", "id", "cust")), owner.hops());
    assertEquals(Optional.of(BigInteger.valueOf(200)), lines.ownership().rowsPerPerson());
    assertEquals(List.of(new PrivacyUnit.Person("customer")), lines.units());
    assertEquals(
        List.of(new PrivacyUnit.Row("weather")), policy.table("weather").orElseThrow().units());
  }

  /** Events with a user_id and no table of users; parts of them over a key of the events. */
  private PeoplePolicyTest events() {
    people.put("user", new LinkedHashMap<>(Map.of("nobody", List.of(0))));
    table(
        "events",
        Map.of("id", key(), "user_id", number()),
        "owners",
        new LinkedHashMap<>(Map.of("user", "user_id")));
    table(
        "orders",
        Map.of("buyer", number(), "event", to("events.id")),
        "owners",
        new LinkedHashMap<>(Map.of("user", "buyer")));
    table("parts", Map.of("event", to("events.id")), "owners", Map.of("user", "event.user_id"));
    return this;
  }

  @Test
  void peopleWithoutATableAreTheValuesOfOwnerColumns() {
    Policy policy = events().read();
    PersonKind user = policy.people().get("user");
    assertEquals(Optional.empty(), user.key());
    assertEquals(Type.BIGINT, user.type());
    assertEquals(1, user.nobody().size());
    for (Table table : policy.tables().values()) {
      assertEquals(List.of(new PrivacyUnit.Person("user")), table.units());
    }
    assertTrue(policy.table("events").orElseThrow().column("user_id").orElseThrow().individual());
    assertTrue(policy.table("events").orElseThrow().column("id").orElseThrow().individual());
    assertTrue(policy.table("orders").orElseThrow().column("buyer").orElseThrow().individual());
    assertFalse(policy.table("orders").orElseThrow().column("event").orElseThrow().individual());
  }

  /** Number 1 and text '1' would be two people, and each be protected by herself only. */
  @Test
  void allColumnsThatNameOneKindHaveOneType() {
    for (String type : List.of("integer", "varchar", "decimal(20,0)")) {
      events();
      column("orders", "buyer").put("type", type);
      refused("the same person would be two", "with the same type");
    }
  }

  @Test
  void pathsToPeopleWithoutATableCloseLikeOthers() {
    events();
    column("events", "id").remove("unique");
    refused("'events.id' is not declared unique", "Declare it");
    events();
    of("events").remove("owners");
    of("events").put("unit", "row");
    refused("whose rows are not owned by user over 'user_id'", "{user: user_id}");
  }

  @Test
  void peopleWhoOwnNothingNeedAKey() {
    events();
    people.put("seller", Map.of());
    refused("no key, and no table says that they own its rows", "owners: {seller: COLUMN}");
  }

  @Test
  void whatHasNoIdentityNamesNobodyWithoutATableEither() {
    for (String type : List.of("double", "boolean", "time")) {
      events();
      tables.remove("orders");
      people.put("user", Map.of());
      column("events", "user_id").put("type", type);
      refused("cannot name people", "whole number, text, or a UUID");
    }
  }

  @Test
  void noTableHasTheNameOfAnAccountOfPeople() {
    shop().table("people:customer", Map.of("id", key()), "unit", "row");
    refused("share the account of people", "another name");
  }

  @Test
  void severalOwnersOfOneKindAndOfTwo() {
    shop();
    people.put("supplier", Map.of("key", "supplier.id"));
    table("supplier", Map.of("id", key()), "owners", Map.of("supplier", "id"));
    table(
        "offers",
        Map.of("by", number(), "first", number(), "second", number()),
        "owners",
        Map.of("supplier", "by", "customer", List.of("first", "second")));
    Table offers = read().table("offers").orElseThrow();
    assertTrue(offers.ownership().isShared());
    assertEquals(
        List.of(new PrivacyUnit.Person("customer"), new PrivacyUnit.Person("supplier")),
        offers.units());
  }

  @Test
  void columnsThatTellWhoseARowIsAreIndividual() {
    shop();
    Policy policy = read();
    assertTrue(policy.table("customer").orElseThrow().column("id").orElseThrow().individual());
    assertTrue(policy.table("orders").orElseThrow().column("id").orElseThrow().individual());
    assertTrue(policy.table("orders").orElseThrow().column("cust").orElseThrow().individual());
    assertTrue(policy.table("lines").orElseThrow().column("ord").orElseThrow().individual());
    assertFalse(policy.table("lines").orElseThrow().column("part").orElseThrow().individual());
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> column(String table, String column) {
    return (Map<String, Object>) ((Map<String, Object>) of(table).get("columns")).get(column);
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> of(String table) {
    return (Map<String, Object>) tables.get(table);
  }

  @Test
  void individualFalseLiftsIt() {
    shop();
    column("orders", "cust").put("individual", false);
    assertFalse(read().table("orders").orElseThrow().column("cust").orElseThrow().individual());
  }

  @Test
  void hopsInPublicTablesAreExempt() {
    shop();
    table("shops", Map.of("id", key(), "boss", number()), "public", true);
    table("sales", Map.of("shop", to("shops.id")), "owners", Map.of("customer", "shop.boss"));
    Policy policy = read();
    assertFalse(policy.table("sales").orElseThrow().column("shop").orElseThrow().individual());
  }

  @Test
  void aKeyMustBeUniqueAndNotNull() {
    shop();
    column("customer", "id").put("nullable", true);
    refused("not declared unique and NOT NULL", "{unique: true, nullable: false}");
  }

  @Test
  void aPathFollowsUniqueKeysOnly() {
    shop();
    column("orders", "id").remove("unique");
    refused("'orders.id' is not declared unique", "Declare it");
  }

  @Test
  void aPathFollowsDeclaredReferencesOnly() {
    shop();
    column("lines", "ord").remove("references");
    refused("which refers to no table", "{references: TABLE.KEY}");
  }

  @Test
  void everyHopHasOneType() {
    shop();
    column("lines", "ord").put("type", "integer");
    refused("of type", "same type");
  }

  @Test
  void anOwnerHasTheTypeOfTheKey() {
    shop();
    column("orders", "cust").put("type", "varchar");
    column("orders", "cust").remove("references");
    refused("reads a column of type", "same type");
  }

  @Test
  void aPathNeverPassesATableWhoseUnitIsTheRow() {
    shop();
    of("orders").remove("owners");
    of("orders").put("unit", "row");
    refused("whose rows are not owned by customer over 'cust'", "{customer: cust}");
  }

  @Test
  void aPathInheritsEveryOwnerOfTheRowsItPasses() {
    shop();
    people.put("clerk", Map.of("key", "clerks.id"));
    table("clerks", Map.of("id", key()), "owners", Map.of("clerk", "id"));
    Map<String, Object> columns = new LinkedHashMap<>(Map.of("id", key(), "cust", number()));
    columns.put("clerk", number());
    table("orders", columns, "owners", Map.of("customer", "cust", "clerk", "clerk"));
    of("lines").remove("rowsPerPerson");
    refused("also owned by clerk", "{clerk: ord.clerk}");
    of("lines").put("owners", Map.of("customer", "ord.cust", "clerk", "ord.clerk"));
    assertTrue(read().table("lines").orElseThrow().ownership().isShared());
  }

  @Test
  void pathsDoNotGoInCircles() {
    shop();
    Map<String, Object> columns = new LinkedHashMap<>(Map.of("id", key(), "cust", number()));
    columns.put("before", to("orders.id"));
    table("orders", columns, "owners", Map.of("customer", List.of("cust", "before.cust")));
    of("lines").put("owners", Map.of("customer", List.of("ord.cust", "ord.before.cust")));
    of("lines").remove("rowsPerPerson");
    refused("goes in a circle", "does not lead back");
  }

  @Test
  void aProtectedTableSaysWhoseItsRowsAre() {
    shop();
    table("notes", Map.of("a", number()));
    refused("does not say whose the rows", "unit: row");
  }

  @Test
  void rowsOfSeveralOwnersAreNotCut() {
    shop();
    table(
        "follows",
        Map.of("src", number(), "dst", number()),
        "owners",
        Map.of("customer", List.of("src", "dst")),
        "rowsPerPerson",
        3);
    refused("several owners cannot be limited", "declare one owner");
  }

  @Test
  void rowsThatAreKeptWithoutAnOwnerNeedAKey() {
    shop();
    of("lines").put("unowned", "keep");
    refused("needs a key", "NOT NULL");
    of("lines").remove("unowned");
    of("orders").put("unowned", "keep");
    assertTrue(read().table("orders").orElseThrow().ownership().keepsUnowned());
  }

  @Test
  void replacedRowsAndPeopleDoNotGoTogether() {
    shop();
    privacy.put("neighbors", "replace-one");
    refused("add-remove-one only", "Leave privacy.neighbors out");
  }

  @Test
  void whatContradictsItselfIsRefused() {
    shop();
    of("weather").put("owners", Map.of("customer", "day"));
    assertTrue(refused().contains("owners or unit: row, not both"));
    of("weather").remove("unit");
    of("weather").put("public", true);
    assertTrue(refused().contains("a public table has no owners"));
    tables.remove("weather");
    of("orders").put("owners", Map.of("custmer", "cust"));
    assertTrue(refused().contains("Did you mean 'customer'?"));
    of("orders").put("owners", Map.of("customer", List.of("cust", "cust")));
    assertTrue(refused().contains("listed twice"));
    of("orders").put("owners", Map.of("customer", List.of()));
    assertTrue(refused().contains("at least one"));
    of("orders").put("owners", Map.of());
    assertTrue(refused().contains("names no owner"));
    of("orders").put("owners", Map.of("customer", "cast"));
    assertTrue(refused().contains("has no column 'cast'"));
  }

  @Test
  void nobodyIsAListOfValuesOfTheKey() {
    shop();
    for (Object wrong : List.of(List.of("x"), List.of(0, 0), 7)) {
      people.put("customer", Map.of("key", "customer.id", "nobody", wrong));
      assertFalse(refused().isEmpty());
    }
    people.put("customer", Map.of("key", "customer.name"));
    assertTrue(refused().contains("has no column 'name'"));
    people.put("customer", Map.of("key", "id"));
    assertTrue(refused().contains("table.column"));
    people.put("customer", Map.of("key", "customer.id", "perPersonAtMost", 0));
    assertTrue(refused().contains("at least 1"));
  }

  /** Equal numbers may be two values, and a truth value is nobody's name. */
  @Test
  void whatHasNoIdentityNamesNobody() {
    for (String type : List.of("double", "boolean", "time")) {
      shop();
      tables.remove("orders");
      tables.remove("lines");
      column("customer", "id").put("type", type);
      people.put("customer", Map.of("key", "customer.id"));
      refused("cannot name people", "whole number, text, or a UUID");
    }
  }

  @Test
  void whatOnlyOwnersGiveSenseIsRefusedWithoutThem() {
    shop();
    of("weather").put("rowsPerPerson", 3);
    refused("a table without owners has no rowsPerPerson", "name the owners");
    of("weather").remove("rowsPerPerson");
    of("weather").put("unowned", "keep");
    refused("a table without owners has no unowned", "name the owners");
    of("weather").remove("unowned");
    table(
        "follows",
        Map.of("id", key(), "src", number(), "dst", number()),
        "owners",
        Map.of("customer", List.of("src", "dst")),
        "unowned",
        "keep");
    refused("cannot be kept without any", "not there for questions");
    tables.remove("follows");
    people.clear();
    refused("names no kind of people", "{key: customer.id}");
  }

  @Test
  void aPathThatEndsInAnotherTableDoesNotClose() {
    shop();
    of("lines").put("owners", Map.of("customer", "ord.cust.id.more"));
    refused("'customer.id', which refers to no table", "{references: TABLE.KEY}");
    of("lines").put("owners", Map.of("customer", "part"));
    assertEquals(
        "part", read().table("lines").orElseThrow().ownership().owners().getFirst().path());
    column("lines", "part").put("type", "integer");
    refused("reads a column of type integer", "same type");
  }

  @Test
  void ownersNeedPeople() {
    shop();
    ConfigurationError e =
        assertThrows(ConfigurationError.class, () -> PolicyReader.read(Map.of("tables", tables)));
    assertTrue(e.message().contains("names no people"), e.message());
  }
}
