package flexdp.server;

import java.util.List;

/** What goes wrong in the console, and how it looks. */
class ConsoleHardshipTest extends ConsoleWalk {
  ConsoleHardshipTest() {
    super(List.of("hardship", "appearance"), 15);
  }
}
