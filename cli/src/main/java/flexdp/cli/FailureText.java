package flexdp.cli;

import flexdp.failure.Failure;

/** A failure as the terminal shows it. */
final class FailureText {
  private FailureText() {}

  static String of(Failure failure) {
    String where = failure.at().map(p -> "line " + p + ": ").orElse("");
    String hint =
        failure.hint().isEmpty() ? "" : System.lineSeparator() + "hint: " + failure.hint();
    return failure.codeName() + ": " + where + failure.message() + hint;
  }
}
