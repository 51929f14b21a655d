package flexdp.gateway.ledger.store;

import flexdp.gateway.ledger.entry.Entry;
import flexdp.gateway.ledger.entry.Field;
import flexdp.gateway.ledger.entry.Repairs;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Entries as rows of a database; the same columns in every store. */
final class EntryRows {
  private static final Field[] FIELDS = Field.values();
  private static final String COLUMNS =
      "seq, at, previous, hash, "
          + Arrays.stream(FIELDS).map(Field::column).collect(Collectors.joining(", "));

  static final String INSERT =
      "INSERT INTO entry (" + COLUMNS + ") VALUES (?, ?, ?, ?" + ", ?".repeat(FIELDS.length) + ")";

  /** Which columns are filled, as bits: most are not, and asking for each of them takes long. */
  private static final String FILLED =
      IntStream.range(0, FIELDS.length)
          .mapToObj(
              i -> "CASE WHEN " + FIELDS[i].column() + " IS NULL THEN 0 ELSE " + (1 << i) + " END")
          .collect(Collectors.joining(" + "));

  static final String SELECT =
      "SELECT " + COLUMNS + ", " + FILLED + " FROM entry WHERE seq > ? ORDER BY seq";
  static final String TEXT_COLUMNS =
      Arrays.stream(FIELDS).map(f -> f.column() + " TEXT").collect(Collectors.joining(", "));

  /** The format that is written; entries of earlier ones stay as they are. */
  static final int FORMAT = 3;

  /** Columns that entries of a format had not. */
  static List<String> addedSince(int format) {
    Field first = format == 1 ? Field.NEIGHBORS : Field.PARTS;
    return Arrays.stream(FIELDS)
        .filter(f -> format < FORMAT && f.compareTo(first) >= 0)
        .map(Field::column)
        .toList();
  }

  private EntryRows() {}

  static void bind(PreparedStatement insert, Entry entry) throws SQLException {
    insert.setLong(1, entry.seq());
    insert.setLong(2, Entry.micros(entry.at()));
    insert.setString(3, entry.previous());
    insert.setString(4, entry.hash());
    for (int i = 0; i < FIELDS.length; i++) {
      insert.setString(5 + i, entry.texts().get(FIELDS[i]));
    }
  }

  static Entry read(ResultSet rows, String place) throws SQLException {
    EnumMap<Field, String> fields = new EnumMap<>(Field.class);
    int filled = rows.getInt(5 + FIELDS.length);
    for (int i = 0; i < FIELDS.length; i++) {
      if ((filled >> i & 1) == 1) {
        fields.put(FIELDS[i], rows.getString(5 + i));
      }
    }
    long seq = rows.getLong(1);
    try {
      return Entry.stored(seq, rows.getLong(2), fields, rows.getString(3), rows.getString(4));
    } catch (IllegalArgumentException e) {
      throw Repairs.corrupt(place, "entry " + seq + " is not what was written");
    }
  }
}
