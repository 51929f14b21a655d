package flexdp.gateway;

/** What people contribute, on DuckDB. */
class DuckDbPeopleTest extends PeopleSuite {
  DuckDbPeopleTest() {
    super(new DuckDbSuiteTest.File());
  }
}
