package flexdp.gateway;

import org.junit.jupiter.api.Tag;

/** What people contribute, on MariaDB. */
@Tag("soak")
class MariaDbPeopleTest extends PeopleSuite {
  MariaDbPeopleTest() {
    super(new MariaDbSuiteTest.Server());
  }
}
