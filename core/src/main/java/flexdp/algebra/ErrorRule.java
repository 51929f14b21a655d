package flexdp.algebra;

/** Whether an interval around noisy arguments gives one around the value of a function. */
public enum ErrorRule {
  /** It does: the ends of the arguments give those of the value. */
  CARRIED,
  /** None is known; asking for the error bar is refused. */
  LOST
}
