package flexdp.gateway.plan;

import flexdp.facts.KnownBounds;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.gateway.render.SqlRenderer;
import flexdp.question.ReleasePoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The statements of release points that were asked lately. A question asked again has the {@link
 * SamePoint same} release points, since its plan is kept.
 */
public final class Rendered {
  private static final int MOST = 1_000;

  private final SqlRenderer renderer;
  private final Optional<MeasuredBounds> bounds;
  private final Map<SamePoint, List<ReleaseStatement>> recent =
      new LinkedHashMap<>(64, 0.75f, true);

  public Rendered(Database database) {
    this.renderer = new SqlRenderer(database.dialect(), database.catalog());
    this.bounds = database.version().map(v -> new MeasuredBounds(database.catalog()));
  }

  public SqlRenderer renderer() {
    return renderer;
  }

  /**
   * Throws what rendering would throw, without the database. What is rendered is kept, unless the
   * data's own bounds have a say in it, which are looked at when the question is charged.
   */
  public void check(ReleasePoint point) {
    if (known(point).isPresent()) {
      return;
    }
    AtomicBoolean asked = new AtomicBoolean();
    List<ReleaseStatement> made =
        renderer.statements(
            point,
            (table, column) -> {
              asked.set(true);
              return Optional.empty();
            });
    if (bounds.isEmpty() || !asked.get()) {
      keep(point, made);
    }
  }

  /**
   * @param session to look through at data that stay as they are
   */
  public List<ReleaseStatement> of(ReleasePoint point, Session session) {
    Optional<List<ReleaseStatement>> known = known(point);
    if (known.isPresent()) {
      return known.get();
    }
    List<ReleaseStatement> made = once(point, session);
    keep(point, made);
    return made;
  }

  /** The statements of a release point that is made for one answer. */
  public List<ReleaseStatement> once(ReleasePoint point, Session session) {
    KnownBounds within = bounds.map(b -> b.through(session)).orElse(KnownBounds.NONE);
    return renderer.statements(point, within);
  }

  private void keep(ReleasePoint point, List<ReleaseStatement> made) {
    synchronized (recent) {
      recent.put(new SamePoint(point), made);
      if (recent.size() > MOST) {
        recent.remove(recent.keySet().iterator().next());
      }
    }
  }

  private Optional<List<ReleaseStatement>> known(ReleasePoint point) {
    synchronized (recent) {
      return Optional.ofNullable(recent.get(new SamePoint(point)));
    }
  }
}
