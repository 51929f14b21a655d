package flexdp.algebra;

import java.util.List;

/**
 * A column that says which draws of noise the value of a window function adds up, for its error
 * bar; above release points only.
 *
 * @param of the column of the value
 * @param arguments of the function, written in measurements, labels and windows below
 */
public record WindowTrace(Column output, int of, List<Expr> arguments) {
  public WindowTrace {
    arguments = List.copyOf(arguments);
  }
}
