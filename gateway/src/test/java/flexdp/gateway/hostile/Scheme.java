package flexdp.gateway.hostile;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.List;

/**
 * An attack that takes more than questions to two neighbours.
 *
 * @param trial tells what was gained; nothing when it failed
 */
record Scheme(String name, Trial trial) {
  /** What is done. */
  interface Trial {
    List<String> gains(EmbeddedPostgres postgres) throws Exception;
  }
}
