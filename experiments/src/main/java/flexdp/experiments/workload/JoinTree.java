package flexdp.experiments.workload;

import flexdp.experiments.study.Relationship;
import flexdp.sql.anatomy.QueryAnatomy.Condition;
import flexdp.sql.anatomy.QueryAnatomy.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A FROM clause that grows join by join. */
final class JoinTree {
  private static final Choice<RideTable> FIRST =
      new Choice<RideTable>()
          .or(60, RideTable.TRIPS)
          .or(13, RideTable.DRIVERS)
          .or(13, RideTable.USERS)
          .or(5, RideTable.USER_TAGS)
          .or(5, RideTable.ANALYTICS)
          .or(4, RideTable.CITIES);

  private final Draw draw;
  private final JoinConditions conditions;
  private final List<Instance> instances = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final Set<Trait> traits = EnumSet.noneOf(Trait.class);
  private boolean isProtected;

  /** A place to attach the next table. */
  private record Attachment(Instance at, Edge edge) {}

  private JoinTree(Draw draw, RideTable first) {
    this.draw = draw;
    this.conditions = new JoinConditions(draw);
    text.append(first.sql()).append(' ').append(add(first).alias());
    isProtected = !first.isPublic();
  }

  static JoinTree draw(Draw draw) {
    JoinTree tree = new JoinTree(draw, draw.of(FIRST));
    // Set operations replace a few of them by queries without joins.
    if (draw.chance(JoinShares.QUERIES_WITH_JOIN / 0.993)) {
      tree.grow(JoinShares.joins(draw));
    }
    return tree;
  }

  /** The instances with all columns of their tables. */
  List<Instance> whole() {
    return instances.stream().filter(Instance::whole).toList();
  }

  Set<Trait> traits() {
    return traits;
  }

  String sql() {
    return text.toString();
  }

  private void grow(int joins) {
    traits.add(Trait.JOIN);
    boolean self = joins >= JoinShares.ALWAYS_SELF || draw.chance(JoinShares.SELF_BELOW);
    boolean onlyEqui = draw.chance(JoinShares.ONLY_EQUIJOINS);
    int odd = onlyEqui ? -1 : draw.between(0, joins - 1);
    int twin = self ? draw.between(0, joins - 1) : -1;
    for (int i = 0; i < joins; i++) {
      boolean other = i == odd || !onlyEqui && draw.chance(JoinShares.OTHER_CONDITION);
      Condition condition = other ? draw.of(JoinShares.OTHER_CONDITIONS) : Condition.EQUIJOIN;
      // A query of equijoins alone has no cross join, so the others have all of them.
      Kind kind = draw.of(JoinShares.KINDS);
      if (onlyEqui && kind == Kind.CROSS) {
        kind = Kind.INNER;
      } else if (!onlyEqui && i != odd && draw.chance(0.02)) {
        kind = Kind.CROSS;
      }
      join(kind, condition, i == twin, self);
    }
  }

  private void join(Kind kind, Condition condition, boolean twin, boolean selfAllowed) {
    Attachment attachment = attachment(draw.of(JoinShares.RELATIONSHIPS), twin, selfAllowed);
    Edge edge = attachment.edge();
    RideTable table = edge.other(attachment.at().table());
    Instance added = add(table);
    boolean guarded = isProtected && !table.isPublic();
    isProtected |= !table.isPublic();
    String source = table.sql();
    String key = edge.keyAcross(attachment.at().table());
    if (kind == Kind.CROSS) {
      text.append(" CROSS JOIN ").append(source).append(' ').append(added.alias());
      traitsOf(edge, table, guarded);
      return;
    }
    if (condition == Condition.EQUIJOIN && draw.chance((1 - JoinShares.BASE_KEYS) / 0.85)) {
      source = conditions.counted(table, key);
      added = narrow(added);
      key = "n";
    } else if (condition == Condition.EQUIJOIN && draw.chance(0.03)) {
      source = conditions.grouped(table, key);
      added = narrow(added);
    } else if (condition == Condition.EQUIJOIN && draw.chance(0.05)) {
      source = conditions.cut(table);
    }
    JoinConditions.On on =
        conditions.on(condition, attachment.at(), edge.keyOf(attachment.at().table()), added, key);
    text.append(' ').append(word(kind)).append(' ').append(source).append(' ');
    text.append(added.alias()).append(" ON ").append(on.sql());
    traitsOf(edge, table, guarded && !on.hasEquality());
  }

  private void traitsOf(Edge edge, RideTable table, boolean unbounded) {
    if (unbounded) {
      traits.add(Trait.PROTECTED_NON_EQUIJOIN);
    }
    if (edge.relationship() == Relationship.MANY_TO_MANY) {
      traits.add(Trait.MANY_TO_MANY);
    }
    if (table.isPublic()) {
      traits.add(Trait.PUBLIC_TABLE);
    }
  }

  private static String word(Kind kind) {
    return kind == Kind.INNER ? "JOIN" : kind.name().toUpperCase(Locale.ROOT) + " JOIN";
  }

  /** Somewhere to join by that relationship, or by another where the tables have none. */
  private Attachment attachment(Relationship wanted, boolean twin, boolean selfAllowed) {
    List<Attachment> any = new ArrayList<>();
    List<Attachment> fitting = new ArrayList<>();
    for (Instance instance : whole()) {
      for (Edge edge : Edge.ALL) {
        if (edge.touches(instance.table())) {
          boolean used = isUsed(edge.other(instance.table()));
          if (twin ? used : selfAllowed || !used) {
            any.add(new Attachment(instance, edge));
            if (edge.relationship() == wanted) {
              fitting.add(new Attachment(instance, edge));
            }
          }
        }
      }
    }
    if (any.isEmpty()) {
      return attachment(wanted, false, true);
    }
    return draw.of(fitting.isEmpty() ? any : fitting);
  }

  private boolean isUsed(RideTable table) {
    return instances.stream().anyMatch(i -> i.table() == table);
  }

  private Instance add(RideTable table) {
    long before = instances.stream().filter(i -> i.table() == table).count();
    if (before > 0) {
      traits.add(Trait.SELF_JOIN);
    }
    Instance added =
        new Instance(table, before == 0 ? table.letter() : table.letter() + (before + 1), true);
    instances.add(added);
    return added;
  }

  /** The instance that was added last has a few columns only. */
  private Instance narrow(Instance added) {
    Instance narrow = new Instance(added.table(), added.alias(), false);
    instances.set(instances.size() - 1, narrow);
    return narrow;
  }
}
