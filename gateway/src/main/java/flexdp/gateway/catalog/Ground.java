package flexdp.gateway.catalog;

/**
 * What an open database rests on beside itself, such as its file. It is looked at before and after
 * everything that is read: where it moved, what was read is no state of the data.
 */
public interface Ground {
  /** Ground that nobody can move, or of which the database itself takes care. */
  Ground FIRM = () -> true;

  /** Whether it is what it was when the database was opened; a quick look. */
  boolean stands();
}
