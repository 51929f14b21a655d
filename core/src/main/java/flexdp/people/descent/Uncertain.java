package flexdp.people.descent;

/** A solver whose solution is not near enough to the optimum. The message says nothing of data. */
public final class Uncertain extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Uncertain() {
    super("the linear program was not solved closely enough");
  }
}
