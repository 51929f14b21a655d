package flexdp.server;

import flexdp.failure.Failure;
import flexdp.server.session.SqlError;
import flexdp.server.sql.StatementKinds;
import flexdp.server.types.PgInput;
import flexdp.server.types.PgType;
import flexdp.server.wire.BadText;
import flexdp.server.wire.FrameReader;
import flexdp.server.wire.Message;
import flexdp.server.wire.ProtocolError;
import flexdp.server.wire.Startup;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * What Jazzer feeds with bytes: every reader of the PostgreSQL door ends with a value or with a
 * refusal of its own. The first byte chooses the reader.
 */
public final class CodecTarget {
  /** To begin with; Jazzer changes them. */
  static final List<String> SEEDS =
      List.of(
          "aQ\0\0\0\15SELECT 1\0",
          "b\0\3\0\0user\0ann\0database\0rides\0options\0-c a=b\0\0",
          "c\0\0\0\7",
          "c2016-01-31 12:00:00.5+02",
          "eQSELECT 1\0",
          "eP\0SELECT $1\0\0\1\0\0\0\27",
          "eB\0\0\0\1\0\1\0\1\0\0\0\4\0\0\0\7\0\0",
          "eDS\0",
          "eEP\0\0\0\0\0",
          "eC\0",
          "eQdeclare c cursor for select 1; fetch 2 from c; copy (select 1) to stdout csv\0",
          "eQset flexdp.epsilon = 0.1; explain (format json) select $$x$$, E'\\'' /* */ -- x\n\0",
          "eQprepare p(int) as select $1; execute p(-1, 'x', null)\0");

  private CodecTarget() {}

  /** Called by Jazzer; whatever is thrown is a finding. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    try {
      feed(bytes, input[0] & 7);
    } catch (ProtocolError | BadText | Failure | SqlError | EOFException expected) {
      return;
    }
  }

  private static void feed(byte[] bytes, int reader) throws IOException {
    switch (reader) {
      case 1 -> {
        FrameReader frames = new FrameReader(new ByteArrayInputStream(bytes));
        while (true) { // until the bytes end
          understand(frames.next(FrameReader.LIMIT));
        }
      }
      case 2 -> Startup.of(bytes);
      case 3, 4 -> {
        for (PgType type : PgType.values()) {
          read(bytes, type, reader == 3);
        }
      }
      default -> {
        if (bytes.length > 0) {
          understand(new FrameReader.Frame(bytes[0], Arrays.copyOfRange(bytes, 1, bytes.length)));
        }
      }
    }
  }

  private static void understand(FrameReader.Frame frame) {
    Message message = Message.of(frame);
    if (message instanceof Message.Query query) {
      StatementKinds.all(query.sql());
    } else if (message instanceof Message.Parse parse) {
      StatementKinds.only(parse.sql());
    }
  }

  private static void read(byte[] bytes, PgType type, boolean binary) {
    try {
      PgInput.read(bytes, type, binary);
    } catch (IllegalArgumentException | BadText refused) {
      return;
    }
  }
}
