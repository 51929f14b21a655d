package flexdp.gateway.propose;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Ways from the rows of tables to people, over foreign keys. A row that passes another one inherits
 * every owner of it, or the policy would be refused; ways that lead back to where they were are
 * left to the owner, and so is what else the rows of people refer to.
 */
final class OwnerPaths {
  /** A row with more owners than this is hardly meant. */
  private static final int MOST = 8;

  private final ForeignReferences references;
  private final Map<String, People> kinds;

  /**
   * @param kinds who people are, by the name of their kind
   */
  OwnerPaths(ForeignReferences references, Map<String, People> kinds) {
    this.references = references;
    this.kinds = kinds;
  }

  /** Who people are. */
  sealed interface People {
    /** The rows of a table. */
    record Rows(PhysicalTable table) implements People {}

    /**
     * The values of a column, in all tables that have one of its name; no table has a row for each.
     *
     * @param column as the first of these tables has it
     */
    record Values(PhysicalColumn column) implements People {}
  }

  /** A path of a kind, as a policy writes it. */
  record Path(String kind, String written) {}

  /**
   * @param paths none when no reference leads to people
   * @param notes what the owner has to look at
   */
  record Ways(List<Path> paths, List<String> notes) {
    /** The value of {@code owners}. */
    String written() {
      Map<String, List<String>> byKind = new LinkedHashMap<>();
      for (Path path : paths) {
        byKind.computeIfAbsent(path.kind(), k -> new ArrayList<>()).add(path.written());
      }
      List<String> fields = new ArrayList<>();
      byKind.forEach(
          (kind, all) ->
              fields.add(
                  Yaml.text(kind) + ": " + (all.size() == 1 ? scalar(all.getFirst()) : list(all))));
      return "{" + String.join(", ", fields) + "}";
    }

    private static String list(List<String> paths) {
      return "[" + String.join(", ", paths.stream().map(Ways::scalar).toList()) + "]";
    }

    /** Paths of plain names need no quotes. */
    private static String scalar(String path) {
      boolean plain = List.of(path.split("\\.", -1)).stream().allMatch(p -> p.equals(Yaml.text(p)));
      return plain ? path : Yaml.text(path);
    }
  }

  /** The only column that can name the rows of a table as people. */
  static Optional<PhysicalColumn> key(PhysicalTable table) {
    return table.columns().stream()
        .filter(c -> isKey(table, c.name()) && names(c.type()) && isWritable(c))
        .findFirst();
  }

  static boolean isKey(PhysicalTable table, String column) {
    return table.keys().contains(List.of(column))
        && table.column(column).filter(PhysicalColumn::notNull).isPresent();
  }

  static boolean names(Type type) {
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL, VARCHAR, DATE, TIMESTAMP, UUID -> true;
      case BOOLEAN, DOUBLE, TIME, OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> false;
    };
  }

  /** Paths are written with dots between their columns. */
  static boolean isWritable(PhysicalColumn column) {
    return !column.name().contains(".") && !column.computed();
  }

  Ways of(PhysicalTable table) {
    List<String> notes = new ArrayList<>();
    List<Path> paths = paths(table, notes);
    for (PhysicalTable.ForeignKey key : table.foreignKeys()) {
      if (key.columns().size() > 1) {
        notes.add(
            "a path goes over single columns, not over (" + String.join(", ", key.columns()) + ")");
      }
    }
    return new Ways(paths, notes);
  }

  private List<Path> paths(PhysicalTable table, List<String> notes) {
    Optional<String> kind = kind(table);
    List<Path> paths = new ArrayList<>();
    kind.ifPresent(k -> paths.add(new Path(k, key(table).orElseThrow().name())));
    paths.addAll(named(table, notes));
    Set<String> own = new HashSet<>(paths.stream().map(Path::kind).toList());
    for (PhysicalColumn column : table.columns()) {
      Optional<ForeignReferences.Target> target = references.of(table, column);
      if (target.isEmpty()) {
        continue;
      }
      PhysicalTable to = target.get().table();
      boolean circle = reaches(to, table, new HashSet<>());
      List<Path> onward = circle ? List.of() : onward(to, target.get().key());
      boolean twice = onward.stream().anyMatch(p -> own.contains(p.kind()) && isValues(p.kind()));
      if (circle || twice || kind.isPresent() && !onward.isEmpty()) {
        notes.add(column.name() + " also leads to " + to.policyName() + "; are they owners, too?");
      } else if (!onward.isEmpty()) {
        open(column, target.get())
            .ifPresentOrElse(
                notes::add,
                () -> onward.forEach(p -> paths.add(new Path(p.kind(), through(column, p)))));
      }
    }
    if (paths.size() > MOST) {
      notes.add(paths.size() + " ways lead to people; which of them own a row?");
      return List.of();
    }
    return paths;
  }

  private Optional<String> kind(PhysicalTable table) {
    return kinds.keySet().stream().filter(k -> isRows(k, table)).findFirst();
  }

  private boolean isRows(String kind, PhysicalTable table) {
    return kinds.get(kind) instanceof People.Rows rows && rows.table().equals(table);
  }

  private boolean isValues(String kind) {
    return kinds.get(kind) instanceof People.Values;
  }

  /** The columns of a table that name people of whom no table is. */
  private List<Path> named(PhysicalTable table, List<String> notes) {
    List<Path> paths = new ArrayList<>();
    kinds.forEach(
        (kind, people) -> {
          if (people instanceof People.Values values) {
            for (PhysicalColumn column : table.columns()) {
              if (!column.name().equalsIgnoreCase(values.column().name())) {
                continue;
              }
              if (column.namesAlike(values.column())
                  && column.type().equals(values.column().type())
                  && isWritable(column)) {
                paths.add(new Path(kind, column.name()));
              } else {
                notes.add(
                    column.name()
                        + " is stored as "
                        + column.typeName()
                        + " here and as "
                        + values.column().typeName()
                        + " elsewhere; make them alike, or the same person would be two");
              }
            }
          }
        });
    return paths;
  }

  /** Whether references lead from one table to another; those of people are not followed. */
  private boolean reaches(PhysicalTable from, PhysicalTable to, Set<PhysicalTable> seen) {
    if (from.equals(to)) {
      return true;
    }
    if (kind(from).isPresent() || !seen.add(from)) {
      return false;
    }
    return from.columns().stream()
        .flatMap(c -> references.of(from, c).stream())
        .anyMatch(next -> reaches(next.table(), to, seen));
  }

  /** What is left of paths behind a reference; the key of people names them by itself. */
  private List<Path> onward(PhysicalTable to, String key) {
    return paths(to, new ArrayList<>()).stream()
        .map(p -> p.written().equals(key) && isRows(p.kind(), to) ? direct(p) : p)
        .toList();
  }

  private static Path direct(Path path) {
    return new Path(path.kind(), "");
  }

  private static String through(PhysicalColumn column, Path onward) {
    return onward.written().isEmpty() ? column.name() : column.name() + "." + onward.written();
  }

  /** Why a path over a reference does not close. */
  private static Optional<String> open(PhysicalColumn column, ForeignReferences.Target to) {
    Type type = to.table().column(to.key()).map(PhysicalColumn::type).orElse(Type.OPAQUE);
    if (!type.equals(column.type())) {
      return Optional.of(
          column.name()
              + " is of type "
              + column.type()
              + " and "
              + to.written()
              + " of type "
              + type
              + "; declare both alike to follow it");
    }
    if (!isKey(to.table(), to.key())) {
      return Optional.of(to.written() + " is not kept unique and NOT NULL, so it names no owner");
    }
    return isWritable(column)
        ? Optional.empty()
        : Optional.of(column.name() + " has a dot in its name, so no path can go over it");
  }
}
