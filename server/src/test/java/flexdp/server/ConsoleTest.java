package flexdp.server;

import java.util.List;

/** What an analyst does in the console. */
class ConsoleTest extends ConsoleWalk {
  ConsoleTest() {
    super(List.of("analyst"), 20);
  }
}
