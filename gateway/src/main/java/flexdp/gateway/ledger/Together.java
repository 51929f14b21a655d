package flexdp.gateway.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Group commit: of the threads that wait for the disk one serves all. The others sleep until their
 * wish was served, and are not woken to take turns at a lock.
 */
final class Together<T> {
  /** A wish and the thread that waits for it. */
  private static final class Waiting<T> {
    private final T wish;
    private final Thread thread = Thread.currentThread();
    private volatile boolean served;

    private Waiting(T wish) {
      this.wish = wish;
    }
  }

  private final int most;
  private final Consumer<List<T>> service;
  private final ConcurrentLinkedQueue<Waiting<T>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean serving = new AtomicBoolean();

  /**
   * @param most wishes served at once
   * @param service serves a batch; never two at a time
   */
  Together(int most, Consumer<List<T>> service) {
    this.most = most;
    this.service = service;
  }

  /** Returns when the wish was in a batch that was served, by this thread or by another. */
  void await(T wish) {
    Waiting<T> mine = new Waiting<>(wish);
    queue.add(mine);
    boolean interrupted = false;
    while (!mine.served) {
      if (serving.compareAndSet(false, true)) {
        try {
          serve(mine);
        } finally {
          serving.set(false);
          wakeNext();
        }
      } else {
        // Whoever serves now looks at the queue afterwards, so that nobody sleeps for ever.
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve(Waiting<T> mine) {
    if (mine.served) {
      return;
    }
    List<Waiting<T>> batch = new ArrayList<>();
    for (Waiting<T> w = queue.poll(); w != null; w = batch.size() < most ? queue.poll() : null) {
      batch.add(w);
    }
    try {
      service.accept(batch.stream().map(w -> w.wish).toList());
    } finally {
      for (Waiting<T> w : batch) {
        w.served = true;
        LockSupport.unpark(w.thread);
      }
    }
  }

  private void wakeNext() {
    Waiting<T> next = queue.peek();
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
  }
}
