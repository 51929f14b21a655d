package flexdp.gateway;

/** What people contribute, on PostgreSQL. */
class PostgreSqlPeopleTest extends PeopleSuite {
  PostgreSqlPeopleTest() {
    super(new PostgreSqlSuiteTest.Server());
  }
}
