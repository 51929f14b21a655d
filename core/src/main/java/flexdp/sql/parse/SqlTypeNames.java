package flexdp.sql.parse;

import java.util.List;
import java.util.Map;

/** The names that dialects give to the standard's types. */
final class SqlTypeNames {
  private static final Map<String, List<String>> STANDARD =
      Map.ofEntries(
          names("BOOLEAN", "BOOL"),
          names("BOOLEAN", "BOOLEAN"),
          names("SMALLINT", "SMALLINT"),
          names("SMALLINT", "INT2"),
          names("TINYINT", "TINYINT"),
          names("INTEGER", "INTEGER"),
          names("INTEGER", "INT"),
          names("INTEGER", "INT4"),
          names("BIGINT", "BIGINT"),
          names("BIGINT", "INT8"),
          names("BIGINT", "INT64"),
          names("BIGINT", "LONG"),
          names("BIGINT", "SIGNED"),
          names("DOUBLE", "DOUBLE"),
          names("DOUBLE", "FLOAT8"),
          names("DOUBLE", "FLOAT64"),
          names("DOUBLE", "FLOAT"),
          names("REAL", "REAL"),
          names("REAL", "FLOAT4"),
          names("DECIMAL", "DECIMAL"),
          names("DECIMAL", "NUMERIC"),
          names("DECIMAL", "DEC"),
          names("DECIMAL", "NUMBER"),
          names("VARCHAR", "VARCHAR"),
          names("VARCHAR", "TEXT"),
          names("VARCHAR", "STRING"),
          names("VARCHAR", "NVARCHAR"),
          names("VARCHAR", "VARCHAR2"),
          names("CHAR", "CHAR"),
          names("CHAR", "CHARACTER"),
          names("DATE", "DATE"),
          names("TIME", "TIME"),
          names("TIMESTAMP", "TIMESTAMP"),
          names("TIMESTAMP", "DATETIME"),
          names("TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ"));

  private SqlTypeNames() {}

  private static Map.Entry<String, List<String>> names(String standard, String dialect) {
    return Map.entry(dialect, List.of(standard.split(" ")));
  }

  /**
   * Writes the type that begins at the index, and returns how many tokens it took. A name that is
   * not known stays a name.
   */
  static int write(List<SqlToken> tokens, int index, List<SqlToken> out) {
    SqlToken name = tokens.get(index);
    SqlToken second = peek(tokens, index + 1);
    List<String> standard = name.kind() == SqlToken.Kind.WORD ? STANDARD.get(name.upper()) : null;
    int taken = 1;
    if (standard == null) {
      out.add(name);
    } else if (name.isWord("CHARACTER") && second.isWord("VARYING")) {
      out.add(name.asKeyword("VARCHAR"));
      taken = 2;
    } else {
      standard.forEach(word -> out.add(name.asKeyword(word)));
      boolean two =
          name.isWord("DOUBLE") && second.isWord("PRECISION")
              || name.isWord("SIGNED") && second.isWord("INTEGER");
      taken = two ? 2 : 1;
    }
    taken += precision(tokens, index + taken, out);
    boolean timed = name.isWord("TIMESTAMP") || name.isWord("TIME");
    return timed ? taken + zone(tokens, index + taken, out) : taken;
  }

  /** {@code (p)} or {@code (p, s)}. */
  private static int precision(List<SqlToken> tokens, int index, List<SqlToken> out) {
    int end = index;
    if (peek(tokens, end).isSymbol("(")) {
      do {
        end++;
      } while (peek(tokens, end).kind() == SqlToken.Kind.NUMBER || peek(tokens, end).isSymbol(","));
    }
    if (end <= index + 1 || !peek(tokens, end).isSymbol(")")) {
      return 0;
    }
    out.addAll(tokens.subList(index, end + 1));
    return end + 1 - index;
  }

  private static int zone(List<SqlToken> tokens, int index, List<SqlToken> out) {
    if (!peek(tokens, index + 1).isWord("TIME") || !peek(tokens, index + 2).isWord("ZONE")) {
      return 0;
    }
    if (tokens.get(index).isWord("WITH")) {
      for (int i = index; i < index + 3; i++) {
        out.add(tokens.get(i).asKeyword(tokens.get(i).upper()));
      }
      return 3;
    }
    return tokens.get(index).isWord("WITHOUT") ? 3 : 0;
  }

  private static SqlToken peek(List<SqlToken> tokens, int index) {
    return tokens.get(Math.min(index, tokens.size() - 1));
  }
}
