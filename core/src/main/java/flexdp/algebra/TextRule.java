package flexdp.algebra;

/** How long a text a function makes, from the lengths of those it is given. */
public enum TextRule {
  /** It makes none. */
  NO_TEXT,
  /** At most the first argument. */
  FIRST,
  /** At most the longest argument. */
  LONGEST,
  /** All arguments one after the other. */
  TOGETHER,
  /** The first argument in the other case, in which letters may take more bytes. */
  OTHER_CASE,
  /** Makes no text, but databases look at the first argument in the other case. */
  MATCHED_IN_OTHER_CASE,
  /** At most as many characters of the first argument as the last one says. */
  CUT,
  /** The first argument with every place of the second taken by the third. */
  REPLACED
}
