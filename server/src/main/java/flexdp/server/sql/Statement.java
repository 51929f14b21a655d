package flexdp.server.sql;

import flexdp.server.types.PgType;
import java.util.List;
import java.util.Optional;

/** A statement by who handles it. */
public sealed interface Statement {
  /** The query whose rows it shows, keeps or copies. */
  default Optional<Query> rows() {
    return Optional.empty();
  }

  /** Nothing but white space, comments and semicolons. */
  record Empty() implements Statement {}

  /** Something that has rows. */
  sealed interface Query extends Statement {
    /** The whole text of the query. */
    String sql();

    /** Where the statement begins in the text that the client sent. */
    int offset();

    @Override
    default Optional<Query> rows() {
      return Optional.of(this);
    }
  }

  /** A question about the policy's tables. */
  record Question(String sql, int offset) implements Query {}

  /** About the catalogue, the door's own tables, or nothing but constants. */
  record Catalogue(String sql, int offset, List<Token> tokens) implements Query {}

  record Begin() implements Statement {}

  record Commit() implements Statement {}

  record Rollback() implements Statement {}

  record Savepoint(String name) implements Statement {}

  record Release(String name) implements Statement {}

  record RollbackTo(String name) implements Statement {}

  /**
   * @param value absent for the default
   * @param local until the transaction ends
   */
  record Set(String name, Optional<String> value, boolean local) implements Statement {}

  /** What a reader may say of transactions, all of which they have anyway. */
  record SetTransaction() implements Statement {}

  /**
   * @param name absent for all
   */
  record Reset(Optional<String> name) implements Statement {}

  record Show(String name) implements Statement {}

  record Discard(String what) implements Statement {}

  record Declare(String name, Query query, boolean hold) implements Statement {
    @Override
    public Optional<Query> rows() {
      return Optional.of(query);
    }
  }

  /**
   * @param count of rows; negative counts go back
   * @param move whether the rows are only passed over
   */
  record Fetch(String cursor, long count, boolean move) implements Statement {}

  /**
   * @param cursor absent for all
   */
  record CloseCursor(Optional<String> cursor) implements Statement {}

  record Prepare(String name, List<PgType> types, Statement body) implements Statement {}

  /**
   * @param arguments constants
   */
  record Execute(String name, List<Optional<String>> arguments) implements Statement {}

  /**
   * @param name absent for all
   */
  record Deallocate(Optional<String> name) implements Statement {}

  record Explain(Query query, boolean json) implements Statement {
    @Override
    public Optional<Query> rows() {
      return Optional.of(query);
    }
  }

  /**
   * @param binary PostgreSQL's own bytes
   * @param csv otherwise PostgreSQL's own text
   */
  record CopyOut(
      Query query, boolean binary, boolean csv, boolean header, String delimiter, String nothing)
      implements Statement {
    @Override
    public Optional<Query> rows() {
      return Optional.of(query);
    }
  }

  /** Accepted, and nothing is to be done. */
  record Nothing(String tag) implements Statement {}
}
