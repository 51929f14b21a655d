package flexdp.gateway.verify;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.verify.Verification.VerificationResult;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Questions verified for a test, also by a project that was loaded anew with a mistake in it. */
public final class Verifying {
  private static final LocalDateTime NOW = LocalDateTime.of(2024, 7, 1, 12, 0);

  static final String ROWS =
      """
      privacy: {epsilon: 1, delta: 1e-6, neighbors: add-remove-one, thresholding: {delta: 1e-6}}
      tables:
        t:
          columns:
            id: {type: bigint, unique: true, nullable: false}
            a: {type: integer, range: [-3, 5], domain: [0, 1, null]}
            b: {type: integer, nullable: false}
            x: {type: double, range: [0, 10]}
            s: {type: varchar, domain: [x, y]}
            d: {type: date}
            at: {type: timestamp}
            tm: {type: time}
            f: {type: "decimal(38,30)"}
        u:
          columns:
            id: {type: bigint, unique: true, nullable: false}
            a: {type: integer, references: t.id}
            x: {type: double}
            f: {type: "decimal(38,30)"}
        p:
          public: true
          columns:
            id: {type: integer, unique: true, nullable: false}
            name: {type: varchar}
      """;

  static final String PEOPLE =
      """
      privacy: {epsilon: 1}
      people: {user: {key: users.id, nobody: [3]}}
      tables:
        users:
          owners: {user: id}
          columns:
            id: {type: integer, unique: true, nullable: false}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
        orders:
          owners: {user: user_id}
          columns:
            id: {type: integer, unique: true, nullable: false}
            user_id: {type: integer, references: users.id}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
        items:
          owners: {user: order_id.user_id}
          columns:
            order_id: {type: integer, references: orders.id}
            v: {type: integer, range: [-2, 4], domain: [0, 1, 2, null]}
        follows:
          owners: {user: [src, dst]}
          columns:
            src: {type: integer}
            dst: {type: integer}
      """;

  /** The policy of people where ρ adds up, so that groups are clipped in L2. */
  static final String SQUARES =
      PEOPLE.replace(
          "privacy: {epsilon: 1}",
          "privacy: {epsilon: 1, delta: 1e-6, budget: {epsilon: 10, delta: 1e-6, composition: zcdp}}");

  /** Users of whom there is no table. */
  static final String NAMED =
      """
      privacy: {epsilon: 1}
      people: {user: {nobody: [3]}}
      tables:
        orders:
          owners: {user: user_id}
          columns:
            id: {type: integer, unique: true, nullable: false}
            user_id: {type: integer}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
        items:
          owners: {user: order_id.user_id}
          columns:
            order_id: {type: integer, references: orders.id}
        ratings:
          owners: {user: who}
          columns:
            who: {type: integer}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
      """;

  /** People beside a table whose rows stand for themselves. */
  static final String BESIDE =
      PEOPLE
          + """
            notes:
              unit: row
              columns:
                user_id: {type: integer, references: users.id}
                a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
                v: {type: integer, range: [-2, 4], domain: [0, 1, 2, null]}
          """;

  private Verifying() {}

  static Policy policy(String yaml) {
    return PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY));
  }

  /** So many checks, whatever time they take: the clock counts them. */
  static VerificationResult of(String policy, String sql, int checks) {
    AtomicLong clock = new AtomicLong();
    return new Verification(policy(policy), 7, BigDecimal.ONE, clock::incrementAndGet, NOW)
        .of(sql, Optional.empty(), Duration.ofNanos(2L * checks), done -> {});
  }

  /** What is wrong; empty when nothing is. */
  public static String broken(String policy, String sql, int checks) {
    return of(policy, sql, checks).broken().map(Object::toString).orElse("");
  }
}
