package flexdp.gateway.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Rows that wait until the database is done with them. Many of them wait in a file that only its
 * owner could read, and that has no name any more: when the process ends it is gone.
 */
final class RowSpool implements AutoCloseable {
  /** Numbers that are held in memory. */
  static final int HELD = 1 << 20;

  private final int width;
  private final ByteBuffer page;
  private FileChannel file;

  /**
   * @param held numbers that are held in memory, at least
   */
  RowSpool(int width, int held) {
    this.width = width;
    this.page = ByteBuffer.allocate(Math.ceilDiv(held, width) * width * Double.BYTES);
  }

  void add(double[] row) {
    if (!page.hasRemaining()) {
      spill();
    }
    for (double number : row) {
      page.putDouble(number);
    }
  }

  private void spill() {
    try {
      if (file == null) {
        Path path = Files.createTempFile("flexdp-rows", "");
        file =
            FileChannel.open(
                path,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
      }
      page.flip();
      while (page.hasRemaining()) {
        file.write(page);
      }
      page.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each row once, in the order in which they were added; there can be none added after. */
  void forEach(Consumer<double[]> reader) {
    if (file == null) {
      give(page.flip(), reader);
      return;
    }
    spill();
    try {
      file.position(0);
      // All pages but the last are full, so none ends within a row.
      for (int read = 0; read >= 0; ) {
        page.clear();
        while (page.hasRemaining() && (read = file.read(page)) >= 0) {
          continue;
        }
        give(page.flip(), reader);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void give(ByteBuffer rows, Consumer<double[]> reader) {
    double[] row = new double[width];
    while (rows.remaining() >= width * Double.BYTES) {
      for (int i = 0; i < width; i++) {
        row[i] = rows.getDouble();
      }
      reader.accept(Arrays.copyOf(row, width));
    }
  }

  @Override
  public void close() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
