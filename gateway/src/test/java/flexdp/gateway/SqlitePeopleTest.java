package flexdp.gateway;

import org.junit.jupiter.api.Tag;

/** What people contribute, on SQLite. */
@Tag("soak")
class SqlitePeopleTest extends PeopleSuite {
  SqlitePeopleTest() {
    super(new SqliteSuiteTest.File());
  }
}
