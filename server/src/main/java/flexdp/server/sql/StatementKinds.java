package flexdp.server.sql;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.server.types.PgType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Tells statements apart by their first words. Positions are those of the client's whole text. */
public final class StatementKinds {
  /** Questions may be shorter still; what is longer is not even taken apart. */
  private static final int LONGEST = 300_000;

  private StatementKinds() {}

  private static List<Piece> pieces(String sql) {
    if (sql.length() > LONGEST) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The statement is too long.",
          "Write at most " + LONGEST + " characters at a time.");
    }
    return Piece.of(sql);
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
    List<Piece> pieces = pieces(sql);
    if (pieces.size() > 1) {
      throw Rejection.of(
          RejectionCode.MULTIPLE_STATEMENTS,
          "cannot insert multiple commands into a prepared statement",
          "Send one statement at a time.");
    }
    return pieces.isEmpty() ? new Statement.Empty() : of(pieces.getFirst());
  }

  static Statement of(Piece piece) {
    Reader reader = new Reader(piece);
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
  private static Rejection other(Piece piece, String word) {
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
            Reader.position(piece.sql(), piece.offset(0)))
        : new Reader(piece).unexpected();
  }

  static Statement.Query query(Piece piece, int from) {
    return query(piece, from, piece.tokens().size());
  }

  static Statement.Query query(Piece piece, int from, int to) {
    if (from >= to) {
      Reader reader = new Reader(piece);
      reader.to(from);
      throw reader.unexpected();
    }
    List<Token> tokens = piece.tokens().subList(from, to);
    String sql = piece.text(from, to);
    return CatalogueRoute.toCatalogue(tokens)
        ? new Statement.Catalogue(sql, piece.offset(from), tokens)
        : new Statement.Question(sql, piece.offset(from));
  }

  private static Statement rollback(Reader reader) {
    reader.skip("work", "transaction");
    if (reader.skip("to")) {
      reader.skip("savepoint");
      return new Statement.RollbackTo(reader.name());
    }
    return new Statement.Rollback();
  }

  private static Statement declare(Piece piece, Reader reader) {
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

  private static Statement prepare(Piece piece, Reader reader) {
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
  private static List<Optional<String>> arguments(Reader reader) {
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

  private static Statement explain(Piece piece, Reader reader) {
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
}
