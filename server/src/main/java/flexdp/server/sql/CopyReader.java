package flexdp.server.sql;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;

/** Reads COPY (query) TO STDOUT and COPY table TO STDOUT. */
final class CopyReader {
  private boolean csv;
  private boolean binary;
  private boolean header;
  private String delimiter;
  private String nothing;

  private CopyReader() {}

  static Statement copy(Piece piece, Reader reader) {
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

  private static Statement.Query table(Piece piece, Reader reader) {
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
    Piece select = Piece.of("SELECT " + columns + " FROM " + name).getFirst();
    Statement.Query query = StatementKinds.query(select, 0);
    return query;
  }

  private Statement options(Reader reader, Statement.Query query) {
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

  private void format(Reader reader) {
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

  private static boolean flag(Reader reader) {
    return !reader.hasNext()
        || reader.isNextSymbol(")")
        || reader.isNextSymbol(",")
        || !java.util.List.of("false", "off", "0").contains(reader.next().text());
  }

  private static String one(Reader reader) {
    String text = reader.next().text();
    if (text.length() != 1 || "\r\n\"\\".contains(text)) {
      reader.to(reader.at() - 1);
      throw reader.unexpected();
    }
    return text;
  }

  private static int closing(Piece piece, int open) {
    int depth = 0;
    for (int i = open; i < piece.tokens().size(); i++) {
      depth += piece.tokens().get(i).isSymbol("(") ? 1 : 0;
      depth -= piece.tokens().get(i).isSymbol(")") ? 1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    Reader reader = new Reader(piece);
    reader.to(piece.tokens().size());
    throw reader.unexpected();
  }
}
