package flexdp.server;

import flexdp.server.login.Scram;
import flexdp.server.login.User;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What Jazzer feeds with logins: the first byte says how long the client's first message is, the
 * rest is its last. None of them knows the password, and none comes in.
 */
public final class ScramTarget {
  /** To begin with; Jazzer changes them. */
  static final List<String> SEEDS =
      List.of(
          "\13n,,n=,r=abcc=biws,r=abc,p=AAAA",
          "\25n,,n=ann,r=abc,x=1c=biws,r=abc,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
          "\21y,,n=,r=abc,m=extc=eSws,r=abc,p=",
          "\40p=tls-server-end-point,,n=,r=abcc=cD10bHMtc2VydmVyLWVuZC1wb2ludCws,r=abc,p=AAAA");

  private static final User USER = Demo.user("ann", User.Right.ANALYST, Set.of());
  private static final byte[] SALT = new byte[16];
  private static final byte[] CERTIFICATE = new byte[32];

  private ScramTarget() {}

  /** Called by Jazzer; whatever is thrown is a finding. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    int end = 1 + Math.min(input.length - 1, input[0] & 0x7f);
    byte[] first = Arrays.copyOfRange(input, 1, end);
    byte[] last = Arrays.copyOfRange(input, end, input.length);
    for (boolean plus : List.of(true, false)) {
      boolean known = (input[0] & 0x80) == 0;
      login(known ? Optional.of(USER) : Optional.empty(), plus, first, last);
    }
  }

  private static void login(Optional<User> user, boolean plus, byte[] first, byte[] last) {
    try {
      Scram scram =
          new Scram(user, SALT, Optional.of(CERTIFICATE), plus ? Scram.PLUS : Scram.PLAIN);
      scram.first(first);
      if (scram.last(last).isPresent()) {
        throw new AssertionError("a login without a password");
      }
    } catch (Scram.Malformed expected) {
      return;
    }
  }
}
