package flexdp.gateway;

import org.junit.jupiter.api.Tag;

/** What people contribute, on a Trino cluster. */
@Tag("slow")
class TrinoPeopleTest extends PeopleSuite {
  TrinoPeopleTest() {
    super(new TrinoSuiteTest.Workers());
  }
}
