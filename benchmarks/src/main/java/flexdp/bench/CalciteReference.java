package flexdp.bench;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import org.apache.calcite.config.Lex;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.tools.FrameworkConfig;
import org.apache.calcite.tools.Frameworks;
import org.apache.calcite.tools.Planner;

/** What Calcite needs for the same text, as a yardstick that moves with the machine. */
final class CalciteReference {
  private final SqlParser.Config parser =
      SqlParser.config()
          .withParserFactory(SqlBabelParserImpl.FACTORY)
          .withLex(Lex.MYSQL_ANSI)
          .withConformance(SqlConformanceEnum.BABEL);
  private final FrameworkConfig config;

  CalciteReference(Policy policy) {
    SchemaPlus schema = Frameworks.createRootSchema(false);
    policy.tables().values().forEach(table -> schema.add(table.name(), new Declared(table)));
    config = Frameworks.newConfigBuilder().parserConfig(parser).defaultSchema(schema).build();
  }

  SqlNode parse(String sql) throws SqlParseException {
    return SqlParser.create(sql, parser).parseQuery();
  }

  RelRoot toRel(String sql) throws Exception {
    try (Planner planner = Frameworks.getPlanner(config)) {
      return planner.rel(planner.validate(planner.parse(sql)));
    }
  }

  private static final class Declared extends AbstractTable {
    private final Table table;

    Declared(Table table) {
      this.table = table;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory types) {
      RelDataTypeFactory.Builder row = types.builder();
      for (ColumnSpec column : table.columns()) {
        row.add(column.name(), type(types, column.type())).nullable(column.nullable());
      }
      return row.build();
    }

    private static RelDataType type(RelDataTypeFactory types, Type type) {
      return switch (type.kind()) {
        case DECIMAL ->
            types.createSqlType(
                SqlTypeName.DECIMAL, Math.min(19, type.precision()), Math.min(10, type.scale()));
        case VARCHAR -> types.createSqlType(SqlTypeName.VARCHAR, 100);
        case SMALLINT, INTEGER -> types.createSqlType(SqlTypeName.INTEGER);
        case BIGINT -> types.createSqlType(SqlTypeName.BIGINT);
        case DOUBLE -> types.createSqlType(SqlTypeName.DOUBLE);
        case BOOLEAN -> types.createSqlType(SqlTypeName.BOOLEAN);
        case DATE -> types.createSqlType(SqlTypeName.DATE);
        case TIMESTAMP -> types.createSqlType(SqlTypeName.TIMESTAMP);
        case TIME -> types.createSqlType(SqlTypeName.TIME);
        case INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
            types.createSqlType(SqlTypeName.ANY);
      };
    }
  }
}
