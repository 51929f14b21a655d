package flexdp.algebra;

/** How many arguments a function takes. */
record Arity(int least, int most) {
  static final Arity ONE = new Arity(1, 1);
  static final Arity ONE_OR_TWO = new Arity(1, 2);
  static final Arity TWO = new Arity(2, 2);
  static final Arity TWO_OR_THREE = new Arity(2, 3);
  static final Arity THREE = new Arity(3, 3);
  static final Arity TWO_OR_MORE = new Arity(2, Integer.MAX_VALUE);
  static final Arity SOME = new Arity(1, Integer.MAX_VALUE);

  boolean holds(int arguments) {
    return least <= arguments && arguments <= most;
  }
}
