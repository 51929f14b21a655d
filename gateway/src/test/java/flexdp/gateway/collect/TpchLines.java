package flexdp.gateway.collect;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** A table of TPC-H as text with bars between the values, as databases load it. */
public final class TpchLines {
  private TpchLines() {}

  /** Prints a table: its name and the scale are the arguments. */
  public static void main(String[] arguments) throws IOException {
    try (Writer out =
        new BufferedWriter(
            new OutputStreamWriter(
                new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8),
            1 << 16)) {
      write(TpchTable.getTable(arguments[0]), Double.parseDouble(arguments[1]), out);
    }
  }

  public static <E extends TpchEntity> void write(TpchTable<E> table, double scale, Writer out)
      throws IOException {
    for (E entity : table.createGenerator(scale, 1, 1)) {
      String line = entity.toLine();
      out.write(line, 0, line.length() - 1); // a bar ends each line
      out.write('\n');
    }
  }
}
