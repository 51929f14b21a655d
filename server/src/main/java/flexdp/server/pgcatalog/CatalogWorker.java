package flexdp.server.pgcatalog;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.duckdb.DuckDBDriver;

/**
 * A process that answers analysts' statements about the catalogue, one after the other, as the
 * server sends them. What a statement does to it, it does to nobody else: the server kills it when
 * it takes too long, and when it ends starts another. It ends with the server.
 */
public final class CatalogWorker {
  /** Kinds of what the server says. */
  static final int STATEMENT = 'S';

  static final int CANCEL = 'C';

  /** Statements nest; the threads that Java starts by itself have a sixteenth of it. */
  private static final long STACK = 16L << 20;

  private final DataOutputStream out;
  private final BlockingQueue<byte[]> statements = new LinkedBlockingQueue<>();
  private volatile Optional<UserCatalog> open = Optional.empty();

  private CatalogWorker(DataOutputStream out) {
    this.out = out;
  }

  /** Reads from the standard input until it ends. */
  public static void main(String[] arguments) throws IOException {
    // Whatever else prints must not be taken for an answer.
    System.setOut(System.err);
    DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16));
    CatalogWorker worker = new CatalogWorker(out);
    new DuckDBDriver();
    tidy();
    Thread thread = new Thread(null, worker::work, "flexdp-statements", STACK);
    thread.setDaemon(true);
    thread.start();
    DataInputStream in = new DataInputStream(new FileInputStream(FileDescriptor.in));
    worker.send(new byte[0]); // it is ready
    try {
      while (true) {
        int kind = in.readByte();
        if (kind == STATEMENT) {
          worker.statements.add(in.readNBytes(in.readInt()));
        } else {
          worker.open.ifPresent(UserCatalog::cancel);
        }
      }
    } catch (IOException e) {
      Runtime.getRuntime().halt(0); // the server is gone
    }
  }

  /** The database's library is loaded from a copy that nobody needs any more. */
  private static void tidy() {
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "libduckdb*")) {
      for (Path file : files) {
        Files.delete(file);
      }
    } catch (IOException e) {
      return; // where it cannot be deleted while it is used, the server does it
    }
  }

  private void work() {
    try {
      while (true) {
        WorkerMessage.Request request = WorkerMessage.request(statements.take());
        if (open.isEmpty() || !open.get().isFor(request)) {
          if (open.isPresent()) {
            open.get().close();
            open = Optional.empty();
          }
          open = Optional.of(UserCatalog.of(request.file(), request.user()));
        }
        send(WorkerMessage.of(open.get().answer(request)));
      }
    } catch (IOException | SQLException | InterruptedException | RuntimeException | Error e) {
      Runtime.getRuntime().halt(1); // whatever it was, the next one begins anew
    }
  }

  private void send(byte[] answer) throws IOException {
    synchronized (out) {
      out.writeInt(answer.length);
      out.write(answer);
      out.flush();
    }
  }
}
