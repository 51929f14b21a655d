package flexdp.gateway.plan;

import flexdp.algebra.Column;
import flexdp.gateway.database.Database;
import flexdp.gateway.render.PeopleRenderer;
import flexdp.gateway.render.PersonStatement;
import flexdp.plan.Clipping;
import flexdp.question.ReleasePoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The statements about people that were asked lately, as {@link Rendered} has those about rows. */
public final class RenderedPeople {
  private static final int MOST = 200;

  private record Asked(
      SamePoint point, Column owner, Clipping clipping, Optional<List<List<Object>>> labels) {}

  private final PeopleRenderer renderer;
  private final Map<Asked, List<PersonStatement>> recent = new LinkedHashMap<>(64, 0.75f, true);

  public RenderedPeople(Database database) {
    this.renderer = new PeopleRenderer(database.dialect(), database.catalog());
  }

  /**
   * @param point whose rows have their owner beside them
   * @param labels that are looked at, where these are known
   */
  public List<PersonStatement> of(
      ReleasePoint point, Column owner, Clipping clipping, Optional<List<List<Object>>> labels) {
    // Without keys there is one bin, whatever it is called.
    Optional<List<List<Object>>> looked = point.keys().isEmpty() ? Optional.empty() : labels;
    Asked asked = new Asked(new SamePoint(point), owner, clipping, looked);
    synchronized (recent) {
      List<PersonStatement> known = recent.get(asked);
      if (known != null) {
        return known;
      }
    }
    List<PersonStatement> made = renderer.statements(point, point.input(), owner, clipping, looked);
    synchronized (recent) {
      recent.put(asked, made);
      if (recent.size() > MOST) {
        recent.remove(recent.keySet().iterator().next());
      }
    }
    return made;
  }
}
