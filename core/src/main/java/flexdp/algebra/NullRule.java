package flexdp.algebra;

/** What NULL among its arguments does to the value of a function. */
public enum NullRule {
  /** NULL where any argument is. */
  STRICT,
  /** NULL where the first argument is; of the others it depends. */
  FIRST,
  /** Three-valued logic: NULL at most where an argument is, and not always there. */
  LOGIC,
  /** The first argument that is not NULL stands for the others. */
  FALLBACK,
  /** NULLs are passed over: they count only where every argument is one. */
  PASSED_OVER,
  /** NULL is a value like others, and the outcome never is NULL. */
  AS_VALUE,
  /** The question whether something is NULL or true; the outcome never is NULL. */
  ASKED,
  /** Nothing is said: the value may be NULL whatever the arguments are. */
  UNSTATED
}
