package flexdp.failure;

/** A place in the analyst's text, both numbers counted from one. */
public record Position(int line, int column) {
  public static final Position START = new Position(1, 1);

  public Position {
    if (line < 1 || column < 1) {
      throw new IllegalArgumentException("line and column count from 1: " + line + ":" + column);
    }
  }

  @Override
  public String toString() {
    return line + ":" + column;
  }
}
