package flexdp.gateway.ledger.entry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Account;
import flexdp.budget.ChargedPartitions;
import flexdp.budget.Cost;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.ledger.entry.CountingTerms.Limits;
import flexdp.gateway.ledger.entry.Entry.Field;
import flexdp.gateway.ledger.entry.Request.Basis;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Events as columns of text and back. Decimals are written in full, lists as JSON arrays. */
public final class Fields {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NONE = "[]";
  private static final TypeReference<TreeMap<String, String>> TEXTS = new TypeReference<>() {};
  private static final TypeReference<TreeMap<String, List<String>>> LISTS =
      new TypeReference<>() {};
  private static final Map<String, Neighbors> NEIGHBORS =
      Arrays.stream(Neighbors.values()).collect(Collectors.toMap(Neighbors::word, n -> n));
  private static final Map<String, Policy.Composition> COMPOSITIONS =
      Arrays.stream(Policy.Composition.values()).collect(Collectors.toMap(Basis::word, c -> c));

  private Fields() {}

  public static EnumMap<Field, String> of(Event event) {
    EnumMap<Field, String> all = new EnumMap<>(Field.class);
    switch (event) {
      case Event.Opened opened -> {
        all.put(Field.KIND, "opened");
        all.put(Field.LEDGER, opened.ledger());
        all.put(Field.NOTE, opened.note());
      }
      case Event.Reserved reserved -> {
        all.put(Field.KIND, "reserved");
        put(all, reserved.request());
        reserved.basis().ifPresent(basis -> put(all, basis));
      }
      case Event.Settled settled -> {
        all.put(Field.KIND, "settled");
        all.put(Field.RESERVATION, Long.toString(settled.reservation()));
        all.put(Field.OUTCOME, settled.outcome().word());
        putMeaning(all, settled.failed());
      }
      case Event.Watch watch -> {
        all.put(Field.KIND, "watch");
        all.put(Field.RESERVATION, Long.toString(watch.charge()));
        all.put(Field.OUTCOME, watch.step().word());
        all.put(Field.NOTE, watch.note());
      }
      case Event.Granted granted -> {
        all.put(Field.KIND, "granted");
        all.put(Field.ACCOUNT, granted.account().toString());
        all.put(Field.EPSILON, granted.epsilon().toString());
        all.put(Field.DELTA, granted.delta().toString());
        all.put(Field.OWNER, granted.owner());
        all.put(Field.NOTE, granted.note());
      }
      case Event.Declared declared -> {
        all.put(Field.KIND, "declared");
        all.put(Field.NOTE, json(declared.terms().limits().texts()));
        all.put(Field.OWNER, declared.owner());
        put(all, declared.terms());
      }
      case Event.Bound bound -> {
        all.put(Field.KIND, "bound");
        all.put(Field.IDENTITIES, IdentityText.write(bound.tables()));
      }
      case Event.Adopted adopted -> {
        all.put(Field.KIND, "adopted");
        all.put(Field.OWNER, adopted.owner());
        all.put(Field.NOTE, adopted.note());
        all.put(Field.COMPOSITION, json(adopted.terms().limits().texts()));
        put(all, adopted.terms());
        all.put(Field.IDENTITIES, IdentityText.write(adopted.tables(), adopted.merged()));
      }
      case Event.OwnersAdopted adopted -> {
        all.put(Field.KIND, "owners-adopted");
        all.put(Field.UNIT, adopted.whose());
        all.put(Field.ACCOUNT, json(adopted.carried()));
        all.put(Field.OWNER, adopted.owner());
        all.put(Field.NOTE, adopted.note());
      }
      case Event.FailuresCleared cleared -> {
        all.put(Field.KIND, "failures-cleared");
        cleared.analyst().ifPresent(a -> all.put(Field.ANALYST, a));
        all.put(Field.OWNER, cleared.owner());
        all.put(Field.NOTE, cleared.note());
      }
      case Event.ClockAccepted accepted -> {
        all.put(Field.KIND, "clock-accepted");
        all.put(Field.OWNER, accepted.owner());
        all.put(Field.NOTE, accepted.note());
      }
      case Event.LossAccepted accepted -> {
        all.put(Field.KIND, "loss-accepted");
        all.put(Field.OWNER, accepted.owner());
        all.put(Field.NOTE, accepted.note());
      }
    }
    return all;
  }

  private static void put(EnumMap<Field, String> all, Request request) {
    all.put(Field.ANALYST, request.analyst());
    all.put(Field.ROLES, array(request.roles()));
    all.put(Field.QUERY, request.query());
    all.put(Field.TABLES, array(request.tables()));
    all.put(Field.MECHANISM, request.mechanism());
    all.put(Field.SNAPSHOT, request.snapshot());
    putMeaning(all, request.meanings());
    if (!request.parts().isEmpty()) {
      all.put(Field.PARTS, PartsText.write(request.parts()));
    }
    put(all, request.cost());
  }

  private static void putMeaning(EnumMap<Field, String> all, Set<String> meanings) {
    if (!meanings.isEmpty()) {
      all.put(Field.MEANING, array(meanings));
    }
  }

  private static void put(EnumMap<Field, String> all, Basis basis) {
    all.put(Field.NEIGHBORS, basis.neighbors().word());
    all.put(Field.COMPOSITION, Basis.word(basis.composition()));
    all.put(Field.UNIT, basis.unit());
  }

  private static void put(EnumMap<Field, String> all, CountingTerms terms) {
    terms.neighbors().ifPresent(n -> all.put(Field.NEIGHBORS, n.word()));
    terms.unit().ifPresent(u -> all.put(Field.UNIT, u));
  }

  private static void put(EnumMap<Field, String> all, Cost cost) {
    all.put(Field.COST, cost.word());
    all.put(Field.EPSILON, cost.epsilon().toString());
    all.put(Field.DELTA, cost.delta().toString());
    switch (cost) {
      case Cost.Pure pure -> all.put(Field.SQUARES, pure.squares().toString());
      case Cost.Gaussian gaussian -> {
        all.put(Field.RHO, gaussian.rho().toString());
        all.put(Field.FAILURE, gaussian.failure().toString());
      }
      case Cost.Approximate ignored -> {}
    }
  }

  /** Reads what {@link #of} writes; anything else is an IllegalArgumentException. */
  static Event event(EnumMap<Field, String> all) {
    return switch (text(all, Field.KIND)) {
      case "opened" -> new Event.Opened(text(all, Field.LEDGER), text(all, Field.NOTE));
      case "reserved" -> new Event.Reserved(request(all), basis(all));
      case "settled" ->
          new Event.Settled(
              Long.parseLong(text(all, Field.RESERVATION)),
              Outcome.parse(text(all, Field.OUTCOME)),
              meanings(all));
      case "watch" ->
          new Event.Watch(
              Long.parseLong(text(all, Field.RESERVATION)),
              WatchStep.parse(text(all, Field.OUTCOME)),
              text(all, Field.NOTE));
      case "granted" ->
          new Event.Granted(
              Account.parse(text(all, Field.ACCOUNT)),
              decimal(all, Field.EPSILON),
              decimal(all, Field.DELTA),
              text(all, Field.OWNER),
              text(all, Field.NOTE));
      case "declared" -> new Event.Declared(terms(all, Field.NOTE), text(all, Field.OWNER));
      case "bound" -> new Event.Bound(IdentityText.tables(text(all, Field.IDENTITIES)));
      case "adopted" ->
          new Event.Adopted(
              terms(all, Field.COMPOSITION),
              IdentityText.tables(text(all, Field.IDENTITIES)),
              IdentityText.merged(text(all, Field.IDENTITIES)),
              text(all, Field.OWNER),
              text(all, Field.NOTE));
      case "owners-adopted" ->
          new Event.OwnersAdopted(
              text(all, Field.UNIT),
              carried(text(all, Field.ACCOUNT)),
              text(all, Field.OWNER),
              text(all, Field.NOTE));
      case "failures-cleared" ->
          new Event.FailuresCleared(
              Optional.ofNullable(all.get(Field.ANALYST)),
              text(all, Field.OWNER),
              text(all, Field.NOTE));
      case "clock-accepted" ->
          new Event.ClockAccepted(text(all, Field.OWNER), text(all, Field.NOTE));
      case "loss-accepted" -> new Event.LossAccepted(text(all, Field.OWNER), text(all, Field.NOTE));
      default -> throw new IllegalArgumentException("an entry of an unknown kind");
    };
  }

  private static SortedMap<String, List<String>> carried(String text) {
    try {
      SortedMap<String, List<String>> carried = JSON.readValue(text, LISTS);
      carried.forEach(
          (account, from) -> {
            Account.parse(account);
            from.forEach(Account::parse);
          });
      return carried;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no list of accounts", e);
    }
  }

  private static Request request(EnumMap<Field, String> all) {
    return new Request(
        text(all, Field.ANALYST),
        set(all, Field.ROLES),
        text(all, Field.QUERY),
        set(all, Field.TABLES),
        text(all, Field.MECHANISM),
        cost(all),
        text(all, Field.SNAPSHOT),
        meanings(all),
        all.containsKey(Field.PARTS) ? PartsText.read(all.get(Field.PARTS)) : Map.of());
  }

  private static Cost cost(EnumMap<Field, String> all) {
    BigDecimal epsilon = decimal(all, Field.EPSILON);
    BigDecimal delta = decimal(all, Field.DELTA);
    return switch (text(all, Field.COST)) {
      case "pure" -> new Cost.Pure(epsilon, decimal(all, Field.SQUARES), delta);
      case "gaussian" ->
          new Cost.Gaussian(epsilon, delta, decimal(all, Field.RHO), decimal(all, Field.FAILURE));
      case "approximate" -> new Cost.Approximate(epsilon, delta);
      default -> throw new IllegalArgumentException("a cost of an unknown kind");
    };
  }

  /** A cost by itself, as a JSON map of the same columns. */
  public static String text(Cost cost) {
    EnumMap<Field, String> all = new EnumMap<>(Field.class);
    put(all, cost);
    Map<String, String> texts = new TreeMap<>();
    all.forEach((field, value) -> texts.put(field.column(), value));
    return json(texts);
  }

  /** Reads what {@link #text(Cost)} writes. */
  public static Cost cost(String text) {
    try {
      EnumMap<Field, String> all = new EnumMap<>(Field.class);
      JSON.readValue(text, TEXTS)
          .forEach((name, value) -> all.put(Field.valueOf(name.toUpperCase(Locale.ROOT)), value));
      return cost(all);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no cost", e);
    }
  }

  private static String text(EnumMap<Field, String> all, Field field) {
    String value = all.get(field);
    if (value == null) {
      throw new IllegalArgumentException("an entry without " + field.column());
    }
    return value;
  }

  private static BigDecimal decimal(EnumMap<Field, String> all, Field field) {
    return new BigDecimal(text(all, field));
  }

  private static String array(Set<String> names) {
    return names.isEmpty() ? NONE : json(names.stream().sorted().toList());
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Optional<Basis> basis(EnumMap<Field, String> all) {
    Optional<Neighbors> neighbors = neighbors(all);
    if (neighbors.isEmpty()) {
      return Optional.empty();
    }
    Policy.Composition composition = COMPOSITIONS.get(text(all, Field.COMPOSITION));
    if (composition == null) {
      throw new IllegalArgumentException("unknown composition");
    }
    return Optional.of(new Basis(neighbors.get(), composition, text(all, Field.UNIT)));
  }

  private static Optional<Neighbors> neighbors(EnumMap<Field, String> all) {
    String word = all.get(Field.NEIGHBORS);
    Neighbors neighbors = word == null ? null : NEIGHBORS.get(word);
    if (word != null && neighbors == null) {
      throw new IllegalArgumentException("unknown neighbours");
    }
    return Optional.ofNullable(neighbors);
  }

  private static CountingTerms terms(EnumMap<Field, String> all, Field limits) {
    try {
      return new CountingTerms(
          new Limits(JSON.readValue(text(all, limits), TEXTS)),
          neighbors(all),
          Optional.ofNullable(all.get(Field.UNIT)));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no limits", e);
    }
  }

  private static Set<String> meanings(EnumMap<Field, String> all) {
    return all.containsKey(Field.MEANING) ? set(all, Field.MEANING) : Set.of();
  }

  private static Set<String> set(EnumMap<Field, String> all, Field field) {
    if (text(all, field).equals(NONE)) {
      return Set.of();
    }
    try {
      return new LinkedHashSet<>(Arrays.asList(JSON.readValue(text(all, field), String[].class)));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no list in " + field.column(), e);
    }
  }

  /**
   * Which tables words are, as a JSON array: {@code [{"word":…, "table":…, "mark":…, "parts":
   * [{"table":…, "mark":…}], "with":[…]}]}.
   */
  private static final class IdentityText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private IdentityText() {}

    static String write(SortedMap<String, TableIdentity> tables) {
      return write(tables, new TreeMap<>());
    }

    static String write(
        SortedMap<String, TableIdentity> tables, SortedMap<String, List<String>> merged) {
      ArrayNode all = JSON.createArrayNode();
      tables.forEach(
          (word, table) -> {
            ObjectNode one = all.addObject();
            one.put("word", word);
            write(one, table);
            if (!table.parts().isEmpty()) {
              ArrayNode parts = one.putArray("parts");
              table.parts().forEach(part -> write(parts.addObject(), part));
            }
            if (merged.containsKey(word)) {
              ArrayNode with = one.putArray("with");
              merged.get(word).forEach(with::add);
            }
          });
      return all.toString();
    }

    private static void write(ObjectNode one, TableIdentity table) {
      one.put("table", table.name());
      if (!table.mark().isEmpty()) {
        one.put("mark", table.mark());
      }
    }

    static SortedMap<String, TableIdentity> tables(String text) {
      SortedMap<String, TableIdentity> tables = new TreeMap<>();
      for (JsonNode one : array(text)) {
        List<TableIdentity> parts = new ArrayList<>();
        one.path("parts").forEach(part -> parts.add(table(part)));
        tables.put(text(one, "word"), table(one).reading(parts));
      }
      return tables;
    }

    private static TableIdentity table(JsonNode one) {
      return new TableIdentity(text(one, "table"), one.path("mark").asText(""));
    }

    static SortedMap<String, List<String>> merged(String text) {
      SortedMap<String, List<String>> merged = new TreeMap<>();
      for (JsonNode one : array(text)) {
        if (one.has("with")) {
          List<String> with = new ArrayList<>();
          one.get("with").forEach(account -> with.add(account.asText()));
          merged.put(text(one, "word"), with);
        }
      }
      return merged;
    }

    private static JsonNode array(String text) {
      try {
        JsonNode all = JSON.readTree(text);
        if (all == null || !all.isArray()) {
          throw new IllegalArgumentException("no list of tables");
        }
        return all;
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException("no list of tables", e);
      }
    }

    private static String text(JsonNode of, String name) {
      JsonNode value = of.get(name);
      if (value == null || !value.isTextual()) {
        throw new IllegalArgumentException("a table without " + name);
      }
      return value.asText();
    }
  }

  /** Parts as text: a JSON map of tables, each a map of one partition to a list of parts. */
  private static final class PartsText {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<TreeMap<String, TreeMap<String, List<String>>>> PARTS =
        new TypeReference<>() {};

    private PartsText() {}

    static String write(Map<String, ChargedPartitions> parts) {
      SortedMap<String, Map<String, List<String>>> all = new TreeMap<>();
      parts.forEach((table, some) -> all.put(table, Map.of(some.by(), List.copyOf(some.names()))));
      try {
        return JSON.writeValueAsString(all);
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(e);
      }
    }

    /** Reads what {@link #write} writes; anything else is an IllegalArgumentException. */
    static Map<String, ChargedPartitions> read(String text) {
      SortedMap<String, ChargedPartitions> parts = new TreeMap<>();
      try {
        JSON.readValue(text, PARTS)
            .forEach(
                (table, some) -> {
                  if (some.size() != 1) {
                    throw new IllegalArgumentException("parts of several partitions");
                  }
                  some.forEach(
                      (by, names) ->
                          parts.put(table, new ChargedPartitions(by, new TreeSet<>(names))));
                });
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException("no parts", e);
      }
      return parts;
    }
  }
}
