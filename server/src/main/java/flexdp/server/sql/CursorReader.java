package flexdp.server.sql;

/** Reads FETCH and MOVE. */
final class CursorReader {
  private CursorReader() {}

  static Statement fetch(Reader reader, boolean move) {
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

  private static long count(Reader reader) {
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

  private static boolean isNumber(Reader reader) {
    return reader.isNextSymbol("-")
        || reader.hasNext() && reader.rest().getFirst().kind() == Token.Kind.NUMBER;
  }
}
