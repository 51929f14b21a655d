package flexdp.gateway.watch;

import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.WatchView;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** A process that lets a watch look week after week, until it is killed. */
final class WatchProcess {
  private WatchProcess() {}

  public static void main(String[] args) {
    Path policy = Path.of(args[0]);
    for (long week = Long.parseLong(args[1]); ; week++) {
      Clock clock =
          Clock.fixed(
              WatchedTrips.MONDAY.plusWeeks(week).toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
      try (FlexDp flexdp = Setup.of(policy).analyst("ann").clock(clock).open()) {
        List<WatchView> views = flexdp.watches().run("ann", Optional.empty());
        if (views.isEmpty()) {
          System.out.println("over");
          System.out.flush();
          return;
        }
        WatchView.Turn last = views.getFirst().last().orElseThrow();
        System.out.println(week + " " + last.from() + " " + last.verdict() + " " + last.gap());
        System.out.flush();
      }
    }
  }
}
