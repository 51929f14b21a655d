package flexdp.ownership;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * O-SUBQUERY: rows that ask about others are owned as before when each subquery is free, or aligned
 * with them: then what is asked about is the person's own.
 */
final class OwnedSubquery {
  private final OwnedRelations rules;
  private final OwnedRelation outer;
  private boolean owned;

  private OwnedSubquery(OwnedRelations rules, Relation outer) {
    this.rules = rules;
    this.outer = rules.part(outer);
    this.owned = this.outer.owned().isPresent();
  }

  static OwnedRelation of(OwnedRelations rules, Relation.Where where) {
    OwnedSubquery rule = new OwnedSubquery(rules, where.input());
    List<Subquery> asked = new ArrayList<>();
    where.subqueries().forEach(subquery -> asked.add(rule.asked(subquery)));
    return rule.result(new Relation.Where(rule.outer.relation(), asked, where.predicate()));
  }

  static OwnedRelation of(OwnedRelations rules, Relation.Attach attach) {
    OwnedSubquery rule = new OwnedSubquery(rules, attach.input());
    List<Subquery.Scalar> asked = new ArrayList<>();
    attach.subqueries().forEach(s -> asked.add((Subquery.Scalar) rule.asked(s)));
    return rule.result(new Relation.Attach(rule.outer.relation(), asked));
  }

  private OwnedRelation result(Relation relation) {
    return new OwnedRelation(relation, owned ? outer.owned() : Optional.empty());
  }

  private Subquery asked(Subquery subquery) {
    OwnedRelation inner = rules.part(subquery.relation());
    boolean aligned = rules.isAligned(subquery.condition(), outer.owned(), inner.owned());
    owned &= aligned || rules.require("O-SUBQUERY.FREE", rules.isFree(subquery.relation()));
    Expr condition =
        aligned
            ? OwnedRelations.withOwners(
                subquery.condition(), outer.owned().orElseThrow(), inner.owned().orElseThrow())
            : subquery.condition();
    return switch (subquery) {
      case Subquery.Exists e ->
          new Subquery.Exists(e.output(), e.negated(), inner.relation(), condition, e.at());
      case Subquery.Scalar s ->
          new Subquery.Scalar(
              s.output(), inner.relation(), condition, s.calls(), s.value(), s.at());
    };
  }
}
