package flexdp.server.pgcatalog;

import com.fasterxml.jackson.databind.JsonNode;
import flexdp.server.session.SqlError;
import flexdp.server.sql.Token;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a statement about the catalogue may be made of. It is looked for in the tree that the
 * database itself makes of the text that it is about to run, so that nothing is seen here otherwise
 * than there: one SELECT, of parts, functions and relations that are listed. Whatever is not does
 * not exist.
 */
final class StatementAllowList {
  /** Parts of queries. */
  private static final Set<String> PARTS =
      words(
          "SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE CTE_NODE BASE_TABLE SUBQUERY JOIN"
              + " TABLE_FUNCTION EXPRESSION_LIST EMPTY ORDER_MODIFIER LIMIT_MODIFIER"
              + " DISTINCT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING");

  /** Parts of expressions. */
  private static final Set<String> EXPRESSIONS =
      words(
          "BETWEEN CASE CAST COLLATE COLUMN_REF COMPARISON CONJUNCTION CONSTANT FUNCTION OPERATOR"
              + " POSITIONAL_REFERENCE STAR SUBQUERY WINDOW");

  /** Parts of expressions within types. */
  private static final Set<String> TYPES = words("TYPE CONSTANT");

  /** Functions that neither know of files or the machine nor make much of little. */
  private static final Set<String> FUNCTIONS =
      words(
          "abs age array_agg array_append array_cat array_to_string ascii avg bool_and bool_or"
              + " ceil ceiling char_length character_length chr coalesce concat concat_ws count"
              + " count_star current_date current_time current_timestamp date_part date_trunc"
              + " dense_rank every first_value floor generate_series get_current_timestamp"
              + " getvariable greatest ilike_escape initcap json_group_array json_object lag"
              + " last_value lead least left len length like_escape list_contains list_slice"
              + " list_value lower ltrim max md5 min mod not_ilike_escape not_like_escape now"
              + " nullif octet_length position power rank regexp_full_match regexp_matches reverse"
              + " right round row row_number rtrim sign split_part sqrt string_agg string_to_array"
              + " strpos struct_extract substr substring sum timezone to_timestamp translate trim"
              + " trunc unnest upper"
              // operators
              + " + - * / // % ^ ** || & | << >> ~ ! ~~ !~~ ~~* !~~* ~~~ ->> @> <@ && ^@");

  /** The door's own tables, which hold what this user may see of them. */
  private static final Set<String> OWN =
      SessionVariables.TABLES.keySet().stream().map(t -> "fdx_" + t).collect(Collectors.toSet());

  private static final Set<String> MACROS =
      CatalogMacros.names().stream().map(m -> "fdx_" + m).collect(Collectors.toUnmodifiableSet());

  /** A macro may name its argument three times, and so on for those within. */
  private static final int DEEPEST = 4;

  /**
   * What there is.
   *
   * @param relations of the catalogue, by names in lower case
   * @param hidden relations of the database itself
   */
  record Known(Set<String> relations, Set<String> hidden) {}

  private final Known known;
  private final List<Token> tokens;

  /** Common table expressions that can be named where the walk is. */
  private Set<String> named = Set.of();

  private StatementAllowList(Known known, List<Token> tokens) {
    this.known = known;
    this.tokens = tokens;
  }

  private static Set<String> words(String words) {
    return Stream.of(words.split(" ")).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * @param tree of the statement, as the database gives it
   * @param tokens of the statement as it was sent, for places
   * @throws SqlError when the statement is made of something else
   */
  static void require(JsonNode tree, Known known, List<Token> tokens) {
    StatementAllowList allowed = new StatementAllowList(known, tokens);
    if (tree.path("error").asBoolean(true)) {
      throw SqlError.of("42601", "This is not SQL that the catalogue can read.");
    }
    JsonNode statements = tree.path("statements");
    if (statements.size() != 1) {
      throw SqlError.of("42601", "This is not one statement.");
    }
    allowed.walk(statements.get(0), 0);
  }

  private void walk(JsonNode node, int macros) {
    if (!node.isObject()) {
      node.forEach(child -> walk(child, macros));
      return;
    }
    int within = macros;
    if (node.has("class")) {
      within += expression(node);
    } else if (node.path("type").isTextual()) {
      part(node);
    }
    if (within > DEEPEST) {
      throw SqlError.of("54001", "The calls are nested too deeply.");
    }
    if (!node.path("class").asText().equals("CONSTANT")) {
      Set<String> outside = named;
      common(node.path("cte_map").path("map"), within);
      for (Map.Entry<String, JsonNode> child : node.properties()) {
        if (child.getKey().equals("cast_type")) {
          type(child.getValue());
        } else if (!child.getKey().equals("cte_map")) {
          walk(child.getValue(), within);
        }
      }
      named = outside;
    }
  }

  /**
   * Common table expressions, each of which may name those before it, and itself if it is
   * recursive: any other name would be one of the database's own.
   */
  private void common(JsonNode expressions, int macros) {
    for (JsonNode expression : expressions) {
      JsonNode query = expression.path("value");
      boolean recursive =
          query.path("query").path("node").path("type").asText().equals("RECURSIVE_CTE_NODE");
      Set<String> inside = new HashSet<>(named);
      inside.add(lower(expression.path("key")));
      if (recursive) {
        named = inside;
      }
      walk(query, macros);
      named = inside;
    }
  }

  /**
   * What stands in the brackets of a type is run as well, should the database ever let it be more.
   */
  private static void type(JsonNode node) {
    if (node.has("class") && !TYPES.contains(node.path("class").asText())) {
      throw SqlError.of("0A000", "The catalogue does not answer this.");
    }
    node.forEach(StatementAllowList::type);
  }

  private void part(JsonNode node) {
    String type = node.path("type").asText();
    if (!PARTS.contains(type) || node.has("sample")) {
      throw SqlError.of("0A000", "The catalogue does not answer this.");
    }
    if (type.equals("BASE_TABLE")) {
      table(node);
    }
  }

  /** Whether it is a macro: 1 or 0. */
  private int expression(JsonNode node) {
    String kind = node.path("class").asText();
    if (!EXPRESSIONS.contains(kind) || kind.equals("STAR") && node.has("expr")) {
      throw SqlError.of("0A000", "The catalogue does not answer this.");
    }
    if (kind.equals("COLUMN_REF")) {
      for (JsonNode name : node.path("column_names")) {
        if (lower(name).equals("subconninfo")) { // as for everybody who is no superuser
          throw denied(name.asText());
        }
      }
    }
    return node.has("function_name") ? function(node) : 0;
  }

  private int function(JsonNode node) {
    String name = lower(node.path("function_name"));
    String schema = lower(node.path("schema"));
    boolean macro = MACROS.contains(name);
    boolean here = schema.isEmpty() || schema.equals(macro ? "pgc" : "main");
    boolean plain = node.path("catalog").asText().isEmpty() && here;
    if (!plain || !macro && !FUNCTIONS.contains(name)) {
      String shown = node.path("function_name").asText();
      throw missing("42883", "\"" + shortened(shown) + "\" does not exist", "", shown);
    }
    return macro ? 1 : 0;
  }

  private void table(JsonNode node) {
    String name = lower(node.path("table_name"));
    String schema = lower(node.path("schema_name"));
    String catalog = lower(node.path("catalog_name"));
    boolean found =
        switch (schema) {
          case "pgc", "pgi" -> catalog.isEmpty() || catalog.equals("memory");
          case "main" -> catalog.equals("temp") && OWN.contains(name);
          case "" ->
              catalog.isEmpty()
                  && (known.relations().contains(name)
                      || named.contains(name) && !known.hidden().contains(name));
          default -> false;
        };
    if (!found) {
      throw missing(
          "42P01",
          "A relation of this statement does not exist in the catalogue.",
          "A question names tables of the policy only; \\d lists them.",
          node.path("table_name").asText());
    }
  }

  /** Points at a name, if it stands in the statement. */
  private SqlError missing(String state, String message, String hint, String name) {
    return tokens.stream()
        .filter(t -> t.isName() && t.text().equalsIgnoreCase(name))
        .findFirst()
        .map(t -> SqlError.at(t.from(), state, message, hint))
        .orElseGet(() -> SqlError.of(state, message, hint));
  }

  private SqlError denied(String name) {
    return missing("42501", "permission denied for table pg_subscription", "", name);
  }

  private static String lower(JsonNode name) {
    return name.asText().toLowerCase(Locale.ROOT);
  }

  static String shortened(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }
}
