package flexdp.server;

import static org.junit.jupiter.api.Assertions.fail;

import flexdp.failure.Failure;
import flexdp.server.login.Scram;
import flexdp.server.login.User;
import flexdp.server.session.SqlError;
import flexdp.server.sql.StatementKinds;
import flexdp.server.types.PgInput;
import flexdp.server.types.PgType;
import flexdp.server.wire.BadText;
import flexdp.server.wire.Frames;
import flexdp.server.wire.Message;
import flexdp.server.wire.ProtocolError;
import flexdp.server.wire.Startup;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random and half-right bytes: every reader ends with a value or with a refusal of its own. */
class CodecFuzzTest {
  private static final List<String> SEEDS =
      List.of(
          "QSELECT 1\0",
          "P\0SELECT $1\0\0\1\0\0\0\27",
          "B\0\0\0\1\0\1\0\1\0\0\0\4\0\0\0\7\0\0",
          "DS\0",
          "EP\0\0\0\0\0",
          "C\0",
          "Qdeclare c cursor for select 1; fetch 2 from c; copy (select 1) to stdout csv\0",
          "Qset flexdp.epsilon = 0.1; explain (format json) select $$x$$, E'\\'' /* */ -- x\n\0",
          "Qprepare p(int) as select $1; execute p(-1, 'x', null)\0");

  private final User user = Demo.user("x", User.Right.ANALYST, Set.of());

  @Test
  void aHundredThousandInputs() {
    run(100_000, 1);
  }

  @Test
  @Tag("soak")
  void tenMillionInputs() {
    run(10_000_000, 2);
  }

  private void run(int executions, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < executions; i++) {
      byte[] bytes = bytes(random);
      try {
        feed(bytes, random.nextInt(5));
      } catch (ProtocolError
          | BadText
          | Scram.Malformed
          | Failure
          | SqlError
          | EOFException expected) {
        continue;
      } catch (Exception e) {
        fail("execution " + i + ": " + new String(bytes, StandardCharsets.ISO_8859_1), e);
      }
    }
  }

  private static byte[] bytes(Random random) {
    byte[] bytes;
    if (random.nextInt(4) == 0) {
      bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
    } else {
      bytes = SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.ISO_8859_1);
      for (int n = random.nextInt(4); n > 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
    }
    return bytes;
  }

  private void feed(byte[] bytes, int reader) throws Exception {
    switch (reader) {
      case 0 -> new Frames(new ByteArrayInputStream(bytes)).next(Frames.LIMIT);
      case 1 -> Startup.of(bytes);
      case 2 -> {
        Scram scram = new Scram(Optional.of(user), new byte[16], Optional.empty(), Scram.PLAIN);
        scram.first(bytes.length % 2 == 0 ? bytes : "n,,n=,r=abc".getBytes(StandardCharsets.UTF_8));
        if (scram.last(bytes).isPresent()) {
          fail("a login without a password");
        }
      }
      case 3 -> {
        for (PgType type : PgType.values()) {
          try {
            PgInput.read(bytes, type, bytes.length % 2 == 0);
          } catch (IllegalArgumentException | BadText e) {
            continue;
          }
        }
      }
      default -> {
        if (bytes.length > 0) {
          byte[] body = java.util.Arrays.copyOfRange(bytes, 1, bytes.length);
          if (Message.of(new Frames.Frame(bytes[0], body)) instanceof Message.Query query) {
            StatementKinds.all(query.sql());
          }
        }
      }
    }
  }
}
