package flexdp.server;

import java.util.List;

/** What goes wrong in the console, and what an owner does. */
class ConsoleHardshipTest extends ConsoleWalk {
  ConsoleHardshipTest() {
    super(List.of("hardship", "owner"), 16);
  }
}
