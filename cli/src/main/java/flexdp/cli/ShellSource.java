package flexdp.cli;

import java.util.List;

/** What a prompt talks to: a policy with its database here, or a server. */
interface ShellSource extends AutoCloseable {
  /** A table that may be asked about. */
  record Table(String name, String about, List<Column> columns) {}

  /**
   * A column of it.
   *
   * @param facts what the policy says of it
   */
  record Column(String name, String type, String facts) {}

  List<Table> tables();

  List<String> functions();

  /** One private answer, as text. */
  String ask(String sql, ShellSettings settings);

  /** What it would cost, as text. */
  String explain(String sql, ShellSettings settings);

  /** What is left, as text. */
  String budget();

  @Override
  void close();
}
