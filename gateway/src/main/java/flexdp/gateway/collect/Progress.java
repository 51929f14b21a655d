package flexdp.gateway.collect;

/** Hears how far a measurement has come. */
public interface Progress {
  Progress NONE =
      new Progress() {
        @Override
        public void begin(long rows) {}

        @Override
        public void read(String table, long rows) {}
      };

  /** Says how many rows will be read in all, each once for every set of columns. */
  void begin(long rows);

  /** Reading so many more of a table begins. */
  default void reading(String table, long rows) {}

  /** Something that the owner should know. */
  default void note(String text) {}

  /** Says how many more rows were read. */
  void read(String table, long rows);
}
