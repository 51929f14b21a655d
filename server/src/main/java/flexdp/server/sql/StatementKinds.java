package flexdp.server.sql;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.server.types.PgType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells statements apart by their first words. Positions are those of the client's whole text. */
public final class StatementKinds {
  /** Questions may be shorter still; what is longer is not even taken apart. */
  private static final int LONGEST = 300_000;

  private StatementKinds() {}

  private static List<StatementText> pieces(String sql) {
    if (sql.length() > LONGEST) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The statement is too long.",
          "Write at most " + LONGEST + " characters at a time.");
    }
    return StatementText.of(sql);
  }

  /** The statements of a text, in order. */
  public static List<Statement> all(String sql) {
    return pieces(sql).stream().map(StatementKinds::of).toList();
  }

  /**
   * The only statement of a text.
   *
   * @throws Rejection when there are several
   */
  public static Statement only(String sql) {
    List<StatementText> pieces = pieces(sql);
    if (pieces.size() > 1) {
      throw Rejection.of(
          RejectionCode.MULTIPLE_STATEMENTS,
          "cannot insert multiple commands into a prepared statement",
          "Send one statement at a time.");
    }
    return pieces.isEmpty() ? new Statement.Empty() : of(pieces.getFirst());
  }

  static Statement of(StatementText piece) {
    TokenReader reader = new TokenReader(piece);
    Token first = piece.tokens().getFirst();
    if (first.isSymbol("(")) {
      return query(piece, 0);
    }
    String word = first.kind() == Token.Kind.WORD ? first.text() : "";
    reader.next();
    return switch (word) {
      case "begin", "start" -> new Statement.Begin();
      case "commit", "end" -> new Statement.Commit();
      case "abort" -> new Statement.Rollback();
      case "rollback" -> rollback(reader);
      case "savepoint" -> new Statement.Savepoint(reader.name());
      case "release" -> {
        reader.skip("savepoint");
        yield new Statement.Release(reader.name());
      }
      case "set" -> SetReader.set(piece, reader);
      case "reset" ->
          new Statement.Reset(
              reader.skip("all") ? Optional.empty() : Optional.of(SetReader.name(reader)));
      case "show" -> new Statement.Show(SetReader.name(reader));
      case "discard" -> new Statement.Discard(reader.name());
      case "declare" -> declare(piece, reader);
      case "fetch" -> CursorReader.fetch(reader, false);
      case "move" -> CursorReader.fetch(reader, true);
      case "close" ->
          new Statement.CloseCursor(
              reader.skip("all") ? Optional.empty() : Optional.of(reader.name()));
      case "prepare" -> prepare(piece, reader);
      case "execute" -> new Statement.Execute(reader.name(), arguments(reader));
      case "deallocate" -> {
        reader.skip("prepare");
        yield new Statement.Deallocate(
            reader.skip("all") ? Optional.empty() : Optional.of(reader.name()));
      }
      case "explain" -> explain(piece, reader);
      case "copy" -> CopyReader.copy(piece, reader);
      case "unlisten" -> new Statement.Nothing("UNLISTEN");
      case "select", "with", "values", "table" -> query(piece, 0);
      default -> throw other(piece, word);
    };
  }

  /** What is no statement of a reader. */
  private static Rejection other(StatementText piece, String word) {
    boolean known =
        List.of(
                "alter",
                "analyze",
                "call",
                "checkpoint",
                "cluster",
                "comment",
                "create",
                "delete",
                "do",
                "drop",
                "grant",
                "import",
                "insert",
                "listen",
                "load",
                "lock",
                "merge",
                "notify",
                "reassign",
                "refresh",
                "reindex",
                "revoke",
                "security",
                "truncate",
                "update",
                "vacuum")
            .contains(word);
    return known
        ? Rejection.of(
            RejectionCode.NOT_A_SELECT,
            word.toUpperCase(Locale.ROOT) + " is not a question about the data.",
            "Only queries that begin with SELECT or WITH are answered.",
            TokenReader.position(piece.sql(), piece.offset(0)))
        : new TokenReader(piece).unexpected();
  }

  static Statement.Query query(StatementText piece, int from) {
    return query(piece, from, piece.tokens().size());
  }

  static Statement.Query query(StatementText piece, int from, int to) {
    if (from >= to) {
      TokenReader reader = new TokenReader(piece);
      reader.to(from);
      throw reader.unexpected();
    }
    List<Token> tokens = piece.tokens().subList(from, to);
    String sql = piece.text(from, to);
    return CatalogRoute.toCatalogue(tokens)
        ? new Statement.Catalogue(sql, piece.offset(from), tokens)
        : new Statement.Question(sql, piece.offset(from));
  }

  private static Statement rollback(TokenReader reader) {
    reader.skip("work", "transaction");
    if (reader.skip("to")) {
      reader.skip("savepoint");
      return new Statement.RollbackTo(reader.name());
    }
    return new Statement.Rollback();
  }

  private static Statement declare(StatementText piece, TokenReader reader) {
    String name = reader.name();
    while (reader.skip("binary", "insensitive", "asensitive", "no", "scroll")) {
      continue;
    }
    reader.require("cursor");
    boolean hold = reader.skip("with");
    if (hold || reader.skip("without")) {
      reader.require("hold");
    }
    reader.require("for");
    return new Statement.Declare(name, query(piece, reader.at()), hold);
  }

  private static Statement prepare(StatementText piece, TokenReader reader) {
    String name = reader.name();
    List<PgType> types = new ArrayList<>();
    if (reader.skipSymbol("(")) {
      do {
        String type = reader.name();
        while (reader.hasNext() && !reader.isNextSymbol(",") && !reader.isNextSymbol(")")) {
          type += " " + reader.next().text();
        }
        types.add(PgType.named(type).orElseThrow(reader::unexpected));
      } while (reader.skipSymbol(","));
      reader.requireSymbol(")");
    }
    reader.require("as");
    return new Statement.Prepare(name, List.copyOf(types), query(piece, reader.at()));
  }

  /** Constants in parentheses, as text; none for NULL. */
  private static List<Optional<String>> arguments(TokenReader reader) {
    List<Optional<String>> arguments = new ArrayList<>();
    if (reader.skipSymbol("(")) {
      do {
        boolean minus = reader.skipSymbol("-");
        Token token = reader.next();
        boolean constant =
            token.kind() == Token.Kind.STRING
                || token.kind() == Token.Kind.NUMBER
                || token.is("null")
                || token.is("true")
                || token.is("false");
        if (!constant) {
          reader.to(reader.at() - 1);
          throw reader.unexpected();
        }
        arguments.add(
            token.is("null") ? Optional.empty() : Optional.of((minus ? "-" : "") + token.text()));
      } while (reader.skipSymbol(","));
      reader.requireSymbol(")");
    }
    reader.requireEnd();
    return List.copyOf(arguments);
  }

  private static Statement explain(StatementText piece, TokenReader reader) {
    boolean json = false;
    if (reader.skipSymbol("(")) {
      do {
        String option = reader.name();
        boolean given = reader.hasNext() && !reader.isNextSymbol(",") && !reader.isNextSymbol(")");
        String value = given ? reader.next().text() : "on";
        json |= option.equals("format") && value.equalsIgnoreCase("json");
      } while (reader.skipSymbol(","));
      reader.requireSymbol(")");
    }
    while (reader.skip("analyze", "verbose")) {
      continue;
    }
    return new Statement.Explain(query(piece, reader.at()), json);
  }

  /** Reads SET and the names of settings. */
  static final class SetReader {
    private static final Pattern OFFSET = Pattern.compile("([+-])?([01]?[0-9])(?::([0-5][0-9]))?");

    private SetReader() {}

    /** A setting's name: {@code timezone}, {@code TIME ZONE}, {@code flexdp.epsilon}. */
    static String name(TokenReader reader) {
      String name = reader.name();
      if (name.equals("time") && reader.skip("zone")) {
        return "timezone";
      }
      if (name.equals("session") && reader.skip("authorization")) {
        return "session_authorization";
      }
      if (name.equals("transaction") && reader.skip("isolation")) {
        reader.require("level");
        return "transaction_isolation";
      }
      while (reader.skipSymbol(".")) {
        name += "." + reader.name();
      }
      return name;
    }

    static Statement set(StatementText piece, TokenReader reader) {
      boolean local = reader.skip("local");
      if (!local && reader.skip("session")) {
        if (reader.skip("characteristics")) {
          return new Statement.SetTransaction();
        }
        if (reader.skip("authorization")) {
          return new Statement.Set("session_authorization", value(piece, reader), false);
        }
      }
      if (reader.isNext("transaction")) {
        return new Statement.SetTransaction();
      }
      if (reader.skip("names")) {
        return new Statement.Set("client_encoding", value(piece, reader), local);
      }
      String name = name(reader);
      if (!name.equals("timezone") || reader.isNextSymbol("=") || reader.isNext("to")) {
        boolean separated = reader.skip("to") || reader.skipSymbol("=");
        if (!separated && !name.equals("role")) {
          throw reader.unexpected();
        }
      }
      if (name.equals("timezone") && reader.skip("interval")) {
        return new Statement.Set(name, Optional.of(offset(reader)), local);
      }
      return new Statement.Set(name, value(piece, reader), local);
    }

    /** {@code INTERVAL '+05:30' HOUR TO MINUTE} as the zone that PostgreSQL makes of it. */
    private static String offset(TokenReader reader) {
      Token written = reader.next();
      Matcher parts = OFFSET.matcher(written.text());
      if (written.kind() != Token.Kind.STRING || !parts.matches()) {
        reader.to(reader.at() - 1);
        throw reader.unexpected();
      }
      if (reader.skip("hour") && reader.skip("to")) {
        reader.require("minute");
      }
      reader.requireEnd();
      int hours = Integer.parseInt(parts.group(2));
      String minutes = parts.group(3) == null || parts.group(3).equals("00") ? "" : parts.group(3);
      String clock = String.format(Locale.ROOT, "%02d", hours);
      clock += minutes.isEmpty() ? "" : ":" + minutes;
      // Names of zones count to the west.
      return "-".equals(parts.group(1)) && !clock.equals("00")
          ? "<-" + clock + ">+" + clock
          : "<+" + clock + ">-" + clock;
    }

    /** What follows, as one text; words in lists are separated as SHOW would show them. */
    private static Optional<String> value(StatementText piece, TokenReader reader) {
      if (reader.skip("default")) {
        reader.requireEnd();
        return Optional.empty();
      }
      StringBuilder value = new StringBuilder();
      do {
        boolean minus = reader.skipSymbol("-");
        Token token = reader.next();
        boolean written = token.kind() == Token.Kind.WORD;
        value.append(value.isEmpty() ? "" : ", ").append(minus ? "-" : "");
        value.append(written ? piece.text(reader.at() - 1, reader.at()) : token.text());
      } while (reader.skipSymbol(","));
      reader.requireEnd();
      return Optional.of(value.toString());
    }
  }

  /** Reads FETCH and MOVE. */
  static final class CursorReader {
    private CursorReader() {}

    static Statement fetch(TokenReader reader, boolean move) {
      long count = 1;
      if (reader.skip("next")) {
        count = 1;
      } else if (reader.skip("all")) {
        count = Long.MAX_VALUE;
      } else if (reader.skip("forward")) {
        count = count(reader);
      } else if (reader.skip("prior")) {
        count = -1;
      } else if (reader.skip("backward")) {
        count = -count(reader);
      } else if (isNumber(reader)) {
        count = count(reader);
      }
      reader.skip("from", "in");
      Statement.Fetch fetch = new Statement.Fetch(reader.name(), count, move);
      reader.requireEnd();
      return fetch;
    }

    private static long count(TokenReader reader) {
      if (reader.skip("all")) {
        return Long.MAX_VALUE;
      }
      if (!isNumber(reader)) {
        return 1;
      }
      boolean minus = reader.skipSymbol("-");
      Token token = reader.next();
      if (!token.text().matches("[0-9]{1,18}")) {
        reader.to(reader.at() - 1);
        throw reader.unexpected();
      }
      return minus ? -Long.parseLong(token.text()) : Long.parseLong(token.text());
    }

    private static boolean isNumber(TokenReader reader) {
      return reader.isNextSymbol("-")
          || reader.hasNext() && reader.rest().getFirst().kind() == Token.Kind.NUMBER;
    }
  }

  /** Reads COPY (query) TO STDOUT and COPY table TO STDOUT. */
  static final class CopyReader {
    private boolean csv;
    private boolean binary;
    private boolean header;
    private String delimiter;
    private String nothing;

    private CopyReader() {}

    static Statement copy(StatementText piece, TokenReader reader) {
      Statement.Query query;
      if (reader.isNextSymbol("(")) {
        int close = closing(piece, reader.at());
        query = StatementKinds.query(piece, reader.at() + 1, close);
        reader.to(close + 1);
      } else {
        query = table(piece, reader);
      }
      reader.require("to");
      reader.require("stdout");
      return new CopyReader().options(reader, query);
    }

    private static Statement.Query table(StatementText piece, TokenReader reader) {
      int from = reader.at();
      reader.name();
      while (reader.skipSymbol(".")) {
        reader.name();
      }
      String name = piece.text(from, reader.at());
      String columns = "*";
      if (reader.isNextSymbol("(")) {
        int close = closing(piece, reader.at());
        columns = piece.text(reader.at() + 1, close);
        reader.to(close + 1);
      }
      if (reader.isNext("from")) {
        throw Rejection.of(
            RejectionCode.NOT_A_SELECT,
            "COPY FROM is not a question about the data.",
            "Only COPY (SELECT ...) TO STDOUT is answered.");
      }
      StatementText select = StatementText.of("SELECT " + columns + " FROM " + name).getFirst();
      Statement.Query query = StatementKinds.query(select, 0);
      return query;
    }

    private Statement options(TokenReader reader, Statement.Query query) {
      reader.skip("with");
      boolean listed = reader.skipSymbol("(");
      while (reader.hasNext() && !reader.isNextSymbol(")")) {
        String option = reader.name();
        reader.skip("as");
        switch (option) {
          case "format" -> format(reader);
          case "csv" -> csv = true;
          case "binary" -> binary = true;
          case "header" -> header = listed ? flag(reader) : true;
          case "delimiter" -> delimiter = one(reader);
          case "null" -> nothing = reader.next().text();
          default -> {
            reader.to(reader.at() - 1);
            throw reader.unexpected();
          }
        }
        if (listed && !reader.isNextSymbol(")")) {
          reader.requireSymbol(",");
        }
      }
      if (listed) {
        reader.requireSymbol(")");
      }
      reader.requireEnd();
      if (binary && (csv || header || delimiter != null || nothing != null)) {
        throw Rejection.of(
            RejectionCode.SYNTAX,
            "COPY in binary has no header, delimiter or text for NULL.",
            "Write FORMAT binary alone.");
      }
      return new Statement.CopyOut(
          query,
          binary,
          csv,
          header,
          delimiter == null ? csv ? "," : "\t" : delimiter,
          nothing == null ? csv ? "" : "\\N" : nothing);
    }

    private void format(TokenReader reader) {
      Token token = reader.next();
      switch (token.text()) {
        case "csv" -> csv = true;
        case "text" -> csv = false;
        case "binary" -> binary = true;
        default ->
            throw Rejection.of(
                RejectionCode.UNSUPPORTED,
                "COPY in this format is not supported.",
                "Use FORMAT csv, text or binary.");
      }
    }

    private static boolean flag(TokenReader reader) {
      return !reader.hasNext()
          || reader.isNextSymbol(")")
          || reader.isNextSymbol(",")
          || !java.util.List.of("false", "off", "0").contains(reader.next().text());
    }

    private static String one(TokenReader reader) {
      String text = reader.next().text();
      if (text.length() != 1 || "\r\n\"\\".contains(text)) {
        reader.to(reader.at() - 1);
        throw reader.unexpected();
      }
      return text;
    }

    private static int closing(StatementText piece, int open) {
      int depth = 0;
      for (int i = open; i < piece.tokens().size(); i++) {
        depth += piece.tokens().get(i).isSymbol("(") ? 1 : 0;
        depth -= piece.tokens().get(i).isSymbol(")") ? 1 : 0;
        if (depth == 0) {
          return i;
        }
      }
      TokenReader reader = new TokenReader(piece);
      reader.to(piece.tokens().size());
      throw reader.unexpected();
    }
  }
}
