package flexdp.gateway.hostile;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The attacks by hand, under a name that also mutants can be asked by. */
final class Aims {
  /** A kind of database and what was found there. */
  private enum Kind {
    DUCKDB("DuckDB", DuckDbAims.ALL, SpelledAims.DUCKDB),
    POSTGRESQL("PostgreSQL", PostgresAims.ALL, SpelledAims.POSTGRESQL),
    SQLITE("SQLite", ServerAims.SQLITE, SpelledAims.SQLITE),
    MARIADB("MariaDB", ServerAims.MARIADB, SpelledAims.MARIADB);

    private final String title;
    private final List<Aimed> aims;

    Kind(String title, List<Aimed> aims, List<Aimed> spelled) {
      this.title = title;
      this.aims = Stream.concat(aims.stream(), spelled.stream()).toList();
    }

    private TestBed ground(EmbeddedPostgres postgres) throws Exception {
      return switch (this) {
        case DUCKDB -> new DuckDbTestBed();
        case POSTGRESQL -> PostgresTestBed.on(postgres);
        case SQLITE -> new SqliteTestBed();
        case MARIADB -> new MariaDbTestBed();
      };
    }
  }

  private static final List<Scheme> SCHEMES =
      Stream.of(LedgerSchemes.ALL, NotesSchemes.ALL, KeySchemes.ALL).flatMap(List::stream).toList();

  private Aims() {}

  /**
   * What the attacks of these names give away.
   *
   * @param postgres a server, for those on PostgreSQL
   * @param names as in "DuckDB: rows of VALUES"
   */
  static List<String> leaks(EmbeddedPostgres postgres, List<String> names) throws Exception {
    List<String> leaks = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      List<Aimed> wanted =
          kind.aims.stream().filter(a -> names.contains(kind.title + ": " + a.name())).toList();
      if (!wanted.isEmpty()) {
        TestBed ground = kind.ground(postgres);
        for (Aimed aimed : wanted) {
          leaks.addAll(aimed.leaks(ground));
        }
        if (kind != Kind.POSTGRESQL) {
          ground.close();
        }
      }
    }
    for (Scheme scheme : SCHEMES) {
      if (names.contains(scheme.name())) {
        scheme.trial().gains(postgres).forEach(gain -> leaks.add(scheme.name() + "\n" + gain));
      }
    }
    return leaks;
  }

  static List<String> names() {
    List<String> names = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      kind.aims.forEach(a -> names.add(kind.title + ": " + a.name()));
    }
    SCHEMES.forEach(s -> names.add(s.name()));
    return names;
  }
}
