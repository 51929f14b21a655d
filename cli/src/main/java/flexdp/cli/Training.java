package flexdp.cli;

import java.io.PrintWriter;
import java.io.Writer;

/**
 * What the build runs once so that the JVM can keep the classes of a usual start in its cache. It
 * says nothing and touches no file.
 */
final class Training {
  private Training() {}

  public static void main(String[] args) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Main.run(nowhere, nowhere, "--help");
  }
}
