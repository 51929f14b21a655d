package flexdp.gateway.collect;

import java.util.Map;

/**
 * Keeps what was measured until everything is, so that an interrupted run can be taken up again.
 */
public interface MeasuredParts {
  MeasuredParts NONE =
      new MeasuredParts() {
        @Override
        public Map<String, Part> before() {
          return Map.of();
        }

        @Override
        public void keep(Map<String, Part> parts) {}
      };

  /** What an interrupted run had measured, by table. */
  Map<String, Part> before();

  /** Keeps what was measured so far. */
  void keep(Map<String, Part> parts);
}
