package flexdp.workload;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Goes downhill with a limited memory of the slopes seen on the way (L-BFGS). */
final class Downhill {
  /** A smooth function; fills in its gradient. */
  interface Smooth {
    double at(double[] place, double[] gradient);
  }

  private record Step(double[] moved, double[] turned, double weight) {}

  private static final int MEMORY = 8;
  private static final int HALVINGS = 30;
  private static final double ENOUGH = 1e-12;

  private final Smooth function;
  private final Deque<Step> steps = new ArrayDeque<>();
  private double[] place;
  private double[] gradient;
  private double value;
  private boolean done;

  Downhill(Smooth function, double[] start) {
    this.function = function;
    this.place = start.clone();
    this.gradient = new double[start.length];
    this.value = function.at(place, gradient);
  }

  double value() {
    return value;
  }

  double[] place() {
    return place;
  }

  void run(int most) {
    for (int i = 0; i < most && !done; i++) {
      step();
    }
  }

  private void step() {
    double[] direction = direction();
    double slope = dot(direction, gradient);
    if (slope >= 0) {
      steps.clear();
      direction = scaled(gradient, -1);
      slope = -dot(gradient, gradient);
    }
    double[] next = new double[place.length];
    double[] there = new double[place.length];
    double length = 1;
    for (int halving = 0; halving < HALVINGS; halving++, length /= 2) {
      for (int i = 0; i < next.length; i++) {
        next[i] = place[i] + length * direction[i];
      }
      double reached = function.at(next, there);
      if (reached <= value + 1e-4 * length * slope) {
        remember(next, there);
        done = value - reached <= ENOUGH * Math.abs(value);
        place = next;
        gradient = there;
        value = reached;
        return;
      }
    }
    done = true;
  }

  private void remember(double[] next, double[] there) {
    double[] moved = minus(next, place);
    double[] turned = minus(there, gradient);
    double curve = dot(moved, turned);
    if (curve > 1e-14) {
      steps.addLast(new Step(moved, turned, 1 / curve));
      if (steps.size() > MEMORY) {
        steps.removeFirst();
      }
    }
  }

  private double[] direction() {
    double[] q = scaled(gradient, -1);
    double[] taken = new double[steps.size()];
    int i = steps.size();
    for (Iterator<Step> back = steps.descendingIterator(); back.hasNext(); ) {
      Step step = back.next();
      taken[--i] = step.weight() * dot(step.moved(), q);
      add(q, step.turned(), -taken[i]);
    }
    if (!steps.isEmpty()) {
      Step last = steps.getLast();
      q = scaled(q, 1 / (last.weight() * dot(last.turned(), last.turned())));
    }
    for (Step step : steps) {
      add(q, step.moved(), taken[i++] - step.weight() * dot(step.turned(), q));
    }
    return q;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static void add(double[] to, double[] what, double times) {
    for (int i = 0; i < to.length; i++) {
      to[i] += times * what[i];
    }
  }

  private static double[] minus(double[] a, double[] b) {
    double[] difference = a.clone();
    add(difference, b, -1);
    return difference;
  }

  private static double[] scaled(double[] a, double by) {
    double[] scaled = new double[a.length];
    add(scaled, a, by);
    return scaled;
  }
}
