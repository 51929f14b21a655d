package flexdp.experiments.study;

import java.util.List;
import java.util.TreeMap;

/** Puts the verdicts of batches that several workers finish as they may back into their order. */
final class InOrder {
  private final Verdict.Reader reader;
  private final TreeMap<Long, List<Verdict>> waiting = new TreeMap<>();
  private long next = 1;

  InOrder(Verdict.Reader reader) {
    this.reader = reader;
  }

  /**
   * Takes a batch.
   *
   * @param first the place of its first entry in the log
   */
  synchronized void done(long first, List<Verdict> batch) {
    waiting.put(first, batch);
    while (!waiting.isEmpty() && waiting.firstKey() == next) {
      List<Verdict> ready = waiting.pollFirstEntry().getValue();
      ready.forEach(reader::read);
      next += ready.size();
    }
  }
}
