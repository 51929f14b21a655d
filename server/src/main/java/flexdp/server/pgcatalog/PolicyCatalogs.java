package flexdp.server.pgcatalog;

import flexdp.gateway.database.ErrorLog;
import flexdp.policy.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** The catalogues of a server's policies, and the workers that answer from them. */
public final class PolicyCatalogs implements AutoCloseable {
  private final Path folder;
  private final ErrorLog log;
  private final WorkerPool workers;
  private final AtomicInteger numbers = new AtomicInteger();

  private PolicyCatalogs(Path folder, ErrorLog log) {
    this.folder = folder;
    this.log = log;
    this.workers = new WorkerPool(folder, log);
  }

  /**
   * @param log takes statements that cannot be answered, with the reason
   */
  public static PolicyCatalogs open(ErrorLog log) {
    try {
      return new PolicyCatalogs(Files.createTempDirectory("flexdp-catalogue-"), log); // mode 700
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes one in the background: it takes a while, and questions about data need none. */
  public DuckCatalog of(Policy policy) {
    Path own = folder.resolve("policy-" + numbers.incrementAndGet());
    return new DuckCatalog(own, policy, workers, log);
  }

  @Override
  public void close() {
    workers.close();
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      return; // a temporary folder stays
    }
  }
}
