package flexdp.server;

import java.util.List;

/** What an analyst does in the console, and an owner. */
class ConsoleTest extends ConsoleWalk {
  ConsoleTest() {
    super(List.of("analyst", "owner"), 26);
  }
}
