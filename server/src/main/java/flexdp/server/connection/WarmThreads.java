package flexdp.server.connection;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A few threads of the system, of which the one that was busy last works next: what it needs is
 * still in the processor's caches, and those that are not needed end. The JDK's own pools wake the
 * one that has slept longest.
 */
final class WarmThreads implements Executor {
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final String name;
  private final int most;
  private final Deque<Worker> idle = new ArrayDeque<>();
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private int count;
  private boolean closing;

  WarmThreads(String name, int most) {
    this.name = name;
    this.most = most;
  }

  /** A thread and what it is to do next. */
  private final class Worker implements Runnable {
    private final Thread thread = Thread.ofPlatform().daemon().name(name).unstarted(this);

    /** Given under the lock by whoever takes it from among the idle. */
    private volatile Runnable work;

    private Worker(Runnable first) {
      work = first;
    }

    @Override
    public void run() {
      try {
        for (Runnable next = work; next != null; next = next(this)) {
          work = null;
          next.run();
        }
      } finally {
        ended();
      }
    }
  }

  /**
   * @throws RejectedExecutionException when it is closing
   */
  @Override
  public void execute(Runnable work) {
    Worker woken;
    synchronized (this) {
      if (closing) {
        throw new RejectedExecutionException();
      }
      woken = idle.poll();
      if (woken != null) {
        woken.work = work;
      } else if (count < most) {
        count++;
        new Worker(work).thread.start();
        return;
      } else {
        waiting.add(work);
        return;
      }
    }
    LockSupport.unpark(woken.thread);
  }

  /** What a thread does after this; nothing when it is not needed any more. */
  private Runnable next(Worker worker) {
    synchronized (this) {
      Runnable next = waiting.poll();
      if (next != null || closing) {
        return next;
      }
      idle.push(worker);
    }
    long end = System.nanoTime() + IDLE_NANOS;
    while (worker.work == null) {
      long rest = end - System.nanoTime();
      if (rest > 0 && !isClosing()) {
        LockSupport.parkNanos(this, rest);
      } else {
        synchronized (this) {
          if (idle.remove(worker)) {
            return null;
          }
        }
      }
      Thread.interrupted(); // whoever interrupts it means what it did before
    }
    return worker.work;
  }

  private synchronized boolean isClosing() {
    return closing;
  }

  /** Another takes over what waits, should a thread end while there is something to do. */
  private synchronized void ended() {
    Runnable next = waiting.poll();
    if (next == null) {
      count--;
      notifyAll();
    } else {
      new Worker(next).thread.start();
    }
  }

  /** Takes nothing more, and waits so long at most until all that was taken has been done. */
  synchronized void close(long time, TimeUnit unit) throws InterruptedException {
    long end = System.nanoTime() + unit.toNanos(time);
    closing = true;
    idle.forEach(worker -> LockSupport.unpark(worker.thread));
    for (long rest = end - System.nanoTime(); count > 0 && rest > 0; ) {
      TimeUnit.NANOSECONDS.timedWait(this, rest);
      rest = end - System.nanoTime();
    }
  }
}
