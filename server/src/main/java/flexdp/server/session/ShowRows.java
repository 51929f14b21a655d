package flexdp.server.session;

import flexdp.server.types.PgType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What SHOW shows. */
final class ShowRows {
  /** Names that are not written in lower case there. */
  private static final Map<String, String> SPELLED =
      Map.of("timezone", "TimeZone", "datestyle", "DateStyle", "intervalstyle", "IntervalStyle");

  private ShowRows() {}

  static List<WireColumn> columns(String name) {
    return name.equalsIgnoreCase("all")
        ? List.of(
            WireColumn.of("name", PgType.TEXT),
            WireColumn.of("setting", PgType.TEXT),
            WireColumn.of("description", PgType.TEXT))
        : List.of(WireColumn.of(SPELLED.getOrDefault(name, name), PgType.TEXT));
  }

  static Completion of(String name, Settings settings) {
    List<List<Object>> rows = new ArrayList<>();
    if (name.equalsIgnoreCase("all")) {
      settings.all().forEach((setting, value) -> rows.add(List.of(setting, value, "")));
    } else {
      rows.add(
          List.of(
              settings
                  .value(name)
                  .orElseThrow(
                      () ->
                          SqlError.of(
                              "42704", "unrecognized configuration parameter \"" + name + "\""))));
    }
    return Completion.rows(columns(name), rows, "SHOW");
  }
}
