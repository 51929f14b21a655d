package flexdp.gateway;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** What people contribute, on a Trino cluster, where person by person takes many statements. */
@Tag("slow")
@Timeout(3_600)
class TrinoPeopleTest extends PeopleSuite {
  TrinoPeopleTest() {
    super(new TrinoSuiteTest.Workers());
  }
}
