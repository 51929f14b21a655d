package flexdp.server.sql;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads SET and the names of settings. */
final class SetReader {
  private static final Pattern OFFSET = Pattern.compile("([+-])?([01]?[0-9])(?::([0-5][0-9]))?");

  private SetReader() {}

  /** A setting's name: {@code timezone}, {@code TIME ZONE}, {@code flexdp.epsilon}. */
  static String name(Reader reader) {
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

  static Statement set(Piece piece, Reader reader) {
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
  private static String offset(Reader reader) {
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
  private static Optional<String> value(Piece piece, Reader reader) {
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
