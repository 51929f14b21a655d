package flexdp.server;

import java.util.List;
import org.junit.jupiter.api.Tag;

/** How the console looks: dark, on a telephone, by keyboard alone, with very many rows. */
@Tag("nightly")
class ConsoleAppearanceTest extends ConsoleWalk {
  ConsoleAppearanceTest() {
    super(List.of("appearance"), 5);
  }
}
