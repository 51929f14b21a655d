package flexdp.policy;

/** Which databases must be indistinguishable (guarantee §1). */
public enum Neighbors {
  ADD_REMOVE_ONE("add-remove-one"),
  REPLACE_ONE("replace-one");

  private final String word;

  Neighbors(String word) {
    this.word = word;
  }

  /** The word that policies and answers use. */
  public String word() {
    return word;
  }
}
