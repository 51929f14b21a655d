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
import flexdp.gateway.ledger.entry.ChargeRequest.PrivacyBasis;
import flexdp.gateway.ledger.entry.CountingTerms.BudgetLimits;
import flexdp.gateway.ledger.entry.LedgerEntry.EntryField;
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
public final class EntryFields {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NONE = "[]";
  private static final TypeReference<TreeMap<String, String>> TEXTS = new TypeReference<>() {};
  private static final TypeReference<TreeMap<String, List<String>>> LISTS =
      new TypeReference<>() {};
  private static final Map<String, Neighbors> NEIGHBORS =
      Arrays.stream(Neighbors.values()).collect(Collectors.toMap(Neighbors::word, n -> n));
  private static final Map<String, Policy.Composition> COMPOSITIONS =
      Arrays.stream(Policy.Composition.values())
          .collect(Collectors.toMap(PrivacyBasis::word, c -> c));

  private EntryFields() {}

  public static EnumMap<EntryField, String> of(LedgerEvent event) {
    EnumMap<EntryField, String> all = new EnumMap<>(EntryField.class);
    switch (event) {
      case LedgerEvent.Opened opened -> {
        all.put(EntryField.KIND, "opened");
        all.put(EntryField.LEDGER, opened.ledger());
        all.put(EntryField.NOTE, opened.note());
      }
      case LedgerEvent.Reserved reserved -> {
        all.put(EntryField.KIND, "reserved");
        put(all, reserved.request());
        reserved.basis().ifPresent(basis -> put(all, basis));
      }
      case LedgerEvent.Settled settled -> {
        all.put(EntryField.KIND, "settled");
        all.put(EntryField.RESERVATION, Long.toString(settled.reservation()));
        all.put(EntryField.OUTCOME, settled.outcome().word());
        putMeaning(all, settled.failed());
      }
      case LedgerEvent.Watch watch -> {
        all.put(EntryField.KIND, "watch");
        all.put(EntryField.RESERVATION, Long.toString(watch.charge()));
        all.put(EntryField.OUTCOME, watch.step().word());
        all.put(EntryField.NOTE, watch.note());
      }
      case LedgerEvent.Granted granted -> {
        all.put(EntryField.KIND, "granted");
        all.put(EntryField.ACCOUNT, granted.account().toString());
        all.put(EntryField.EPSILON, granted.epsilon().toString());
        all.put(EntryField.DELTA, granted.delta().toString());
        all.put(EntryField.OWNER, granted.owner());
        all.put(EntryField.NOTE, granted.note());
      }
      case LedgerEvent.Declared declared -> {
        all.put(EntryField.KIND, "declared");
        all.put(EntryField.NOTE, json(declared.terms().limits().texts()));
        all.put(EntryField.OWNER, declared.owner());
        put(all, declared.terms());
      }
      case LedgerEvent.Bound bound -> {
        all.put(EntryField.KIND, "bound");
        all.put(EntryField.IDENTITIES, IdentityText.write(bound.tables()));
      }
      case LedgerEvent.Adopted adopted -> {
        all.put(EntryField.KIND, "adopted");
        all.put(EntryField.OWNER, adopted.owner());
        all.put(EntryField.NOTE, adopted.note());
        all.put(EntryField.COMPOSITION, json(adopted.terms().limits().texts()));
        put(all, adopted.terms());
        all.put(EntryField.IDENTITIES, IdentityText.write(adopted.tables(), adopted.merged()));
      }
      case LedgerEvent.OwnersAdopted adopted -> {
        all.put(EntryField.KIND, "owners-adopted");
        all.put(EntryField.UNIT, adopted.whose());
        all.put(EntryField.ACCOUNT, json(adopted.carried()));
        all.put(EntryField.OWNER, adopted.owner());
        all.put(EntryField.NOTE, adopted.note());
      }
      case LedgerEvent.FailuresCleared cleared -> {
        all.put(EntryField.KIND, "failures-cleared");
        cleared.analyst().ifPresent(a -> all.put(EntryField.ANALYST, a));
        all.put(EntryField.OWNER, cleared.owner());
        all.put(EntryField.NOTE, cleared.note());
      }
      case LedgerEvent.ClockAccepted accepted -> {
        all.put(EntryField.KIND, "clock-accepted");
        all.put(EntryField.OWNER, accepted.owner());
        all.put(EntryField.NOTE, accepted.note());
      }
      case LedgerEvent.LossAccepted accepted -> {
        all.put(EntryField.KIND, "loss-accepted");
        all.put(EntryField.OWNER, accepted.owner());
        all.put(EntryField.NOTE, accepted.note());
      }
    }
    return all;
  }

  private static void put(EnumMap<EntryField, String> all, ChargeRequest request) {
    all.put(EntryField.ANALYST, request.analyst());
    all.put(EntryField.ROLES, array(request.roles()));
    all.put(EntryField.QUERY, request.query());
    all.put(EntryField.TABLES, array(request.tables()));
    all.put(EntryField.MECHANISM, request.mechanism());
    all.put(EntryField.SNAPSHOT, request.snapshot());
    putMeaning(all, request.meanings());
    if (!request.parts().isEmpty()) {
      all.put(EntryField.PARTS, PartitionsText.write(request.parts()));
    }
    put(all, request.cost());
  }

  private static void putMeaning(EnumMap<EntryField, String> all, Set<String> meanings) {
    if (!meanings.isEmpty()) {
      all.put(EntryField.MEANING, array(meanings));
    }
  }

  private static void put(EnumMap<EntryField, String> all, PrivacyBasis basis) {
    all.put(EntryField.NEIGHBORS, basis.neighbors().word());
    all.put(EntryField.COMPOSITION, PrivacyBasis.word(basis.composition()));
    all.put(EntryField.UNIT, basis.unit());
  }

  private static void put(EnumMap<EntryField, String> all, CountingTerms terms) {
    terms.neighbors().ifPresent(n -> all.put(EntryField.NEIGHBORS, n.word()));
    terms.unit().ifPresent(u -> all.put(EntryField.UNIT, u));
  }

  private static void put(EnumMap<EntryField, String> all, Cost cost) {
    all.put(EntryField.COST, cost.word());
    all.put(EntryField.EPSILON, cost.epsilon().toString());
    all.put(EntryField.DELTA, cost.delta().toString());
    switch (cost) {
      case Cost.Pure pure -> all.put(EntryField.SQUARES, pure.squares().toString());
      case Cost.Gaussian gaussian -> {
        all.put(EntryField.RHO, gaussian.rho().toString());
        all.put(EntryField.FAILURE, gaussian.failure().toString());
      }
      case Cost.Approximate ignored -> {}
    }
  }

  /** Reads what {@link #of} writes; anything else is an IllegalArgumentException. */
  static LedgerEvent event(EnumMap<EntryField, String> all) {
    return switch (text(all, EntryField.KIND)) {
      case "opened" ->
          new LedgerEvent.Opened(text(all, EntryField.LEDGER), text(all, EntryField.NOTE));
      case "reserved" -> new LedgerEvent.Reserved(request(all), basis(all));
      case "settled" ->
          new LedgerEvent.Settled(
              Long.parseLong(text(all, EntryField.RESERVATION)),
              ChargeOutcome.parse(text(all, EntryField.OUTCOME)),
              meanings(all));
      case "watch" ->
          new LedgerEvent.Watch(
              Long.parseLong(text(all, EntryField.RESERVATION)),
              WatchStep.parse(text(all, EntryField.OUTCOME)),
              text(all, EntryField.NOTE));
      case "granted" ->
          new LedgerEvent.Granted(
              Account.parse(text(all, EntryField.ACCOUNT)),
              decimal(all, EntryField.EPSILON),
              decimal(all, EntryField.DELTA),
              text(all, EntryField.OWNER),
              text(all, EntryField.NOTE));
      case "declared" ->
          new LedgerEvent.Declared(terms(all, EntryField.NOTE), text(all, EntryField.OWNER));
      case "bound" -> new LedgerEvent.Bound(IdentityText.tables(text(all, EntryField.IDENTITIES)));
      case "adopted" ->
          new LedgerEvent.Adopted(
              terms(all, EntryField.COMPOSITION),
              IdentityText.tables(text(all, EntryField.IDENTITIES)),
              IdentityText.merged(text(all, EntryField.IDENTITIES)),
              text(all, EntryField.OWNER),
              text(all, EntryField.NOTE));
      case "owners-adopted" ->
          new LedgerEvent.OwnersAdopted(
              text(all, EntryField.UNIT),
              carried(text(all, EntryField.ACCOUNT)),
              text(all, EntryField.OWNER),
              text(all, EntryField.NOTE));
      case "failures-cleared" ->
          new LedgerEvent.FailuresCleared(
              Optional.ofNullable(all.get(EntryField.ANALYST)),
              text(all, EntryField.OWNER),
              text(all, EntryField.NOTE));
      case "clock-accepted" ->
          new LedgerEvent.ClockAccepted(text(all, EntryField.OWNER), text(all, EntryField.NOTE));
      case "loss-accepted" ->
          new LedgerEvent.LossAccepted(text(all, EntryField.OWNER), text(all, EntryField.NOTE));
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

  private static ChargeRequest request(EnumMap<EntryField, String> all) {
    return new ChargeRequest(
        text(all, EntryField.ANALYST),
        set(all, EntryField.ROLES),
        text(all, EntryField.QUERY),
        set(all, EntryField.TABLES),
        text(all, EntryField.MECHANISM),
        cost(all),
        text(all, EntryField.SNAPSHOT),
        meanings(all),
        all.containsKey(EntryField.PARTS)
            ? PartitionsText.read(all.get(EntryField.PARTS))
            : Map.of());
  }

  private static Cost cost(EnumMap<EntryField, String> all) {
    BigDecimal epsilon = decimal(all, EntryField.EPSILON);
    BigDecimal delta = decimal(all, EntryField.DELTA);
    return switch (text(all, EntryField.COST)) {
      case "pure" -> new Cost.Pure(epsilon, decimal(all, EntryField.SQUARES), delta);
      case "gaussian" ->
          new Cost.Gaussian(
              epsilon, delta, decimal(all, EntryField.RHO), decimal(all, EntryField.FAILURE));
      case "approximate" -> new Cost.Approximate(epsilon, delta);
      default -> throw new IllegalArgumentException("a cost of an unknown kind");
    };
  }

  /** A cost by itself, as a JSON map of the same columns. */
  public static String text(Cost cost) {
    EnumMap<EntryField, String> all = new EnumMap<>(EntryField.class);
    put(all, cost);
    Map<String, String> texts = new TreeMap<>();
    all.forEach((field, value) -> texts.put(field.column(), value));
    return json(texts);
  }

  /** Reads what {@link #text(Cost)} writes. */
  public static Cost cost(String text) {
    try {
      EnumMap<EntryField, String> all = new EnumMap<>(EntryField.class);
      JSON.readValue(text, TEXTS)
          .forEach(
              (name, value) -> all.put(EntryField.valueOf(name.toUpperCase(Locale.ROOT)), value));
      return cost(all);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no cost", e);
    }
  }

  private static String text(EnumMap<EntryField, String> all, EntryField field) {
    String value = all.get(field);
    if (value == null) {
      throw new IllegalArgumentException("an entry without " + field.column());
    }
    return value;
  }

  private static BigDecimal decimal(EnumMap<EntryField, String> all, EntryField field) {
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

  private static Optional<PrivacyBasis> basis(EnumMap<EntryField, String> all) {
    Optional<Neighbors> neighbors = neighbors(all);
    if (neighbors.isEmpty()) {
      return Optional.empty();
    }
    Policy.Composition composition = COMPOSITIONS.get(text(all, EntryField.COMPOSITION));
    if (composition == null) {
      throw new IllegalArgumentException("unknown composition");
    }
    return Optional.of(new PrivacyBasis(neighbors.get(), composition, text(all, EntryField.UNIT)));
  }

  private static Optional<Neighbors> neighbors(EnumMap<EntryField, String> all) {
    String word = all.get(EntryField.NEIGHBORS);
    Neighbors neighbors = word == null ? null : NEIGHBORS.get(word);
    if (word != null && neighbors == null) {
      throw new IllegalArgumentException("unknown neighbours");
    }
    return Optional.ofNullable(neighbors);
  }

  private static CountingTerms terms(EnumMap<EntryField, String> all, EntryField limits) {
    try {
      return new CountingTerms(
          new BudgetLimits(JSON.readValue(text(all, limits), TEXTS)),
          neighbors(all),
          Optional.ofNullable(all.get(EntryField.UNIT)));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no limits", e);
    }
  }

  private static Set<String> meanings(EnumMap<EntryField, String> all) {
    return all.containsKey(EntryField.MEANING) ? set(all, EntryField.MEANING) : Set.of();
  }

  private static Set<String> set(EnumMap<EntryField, String> all, EntryField field) {
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
  private static final class PartitionsText {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<TreeMap<String, TreeMap<String, List<String>>>> PARTS =
        new TypeReference<>() {};

    private PartitionsText() {}

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
