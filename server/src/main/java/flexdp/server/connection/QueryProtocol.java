package flexdp.server.connection;

import flexdp.gateway.database.MemoryGuard;
import flexdp.server.session.ClientSession;
import flexdp.server.session.Completion;
import flexdp.server.session.ErrorFields;
import flexdp.server.session.NamedStatement;
import flexdp.server.session.SqlError;
import flexdp.server.session.WireColumn;
import flexdp.server.sql.Statement;
import flexdp.server.sql.StatementKinds;
import flexdp.server.types.PgType;
import flexdp.server.wire.FrameReader;
import flexdp.server.wire.MemoryPool;
import flexdp.server.wire.Message;
import flexdp.server.wire.ProtocolError;
import flexdp.server.wire.Replies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What follows a login: simple queries, and the extended protocol. */
final class QueryProtocol {
  private static final int MOST_PORTALS = 1_000;

  private final FrameReader frames;
  private final Replies replies;
  private final ClientSession session;
  private final ResultSender sender;
  private final MemoryPool.Part room;
  private final Watch watch;
  private final Map<String, Portal> portals = new HashMap<>();
  private boolean skipping;

  /** Whether a request of several messages has begun and its end was not read yet. */
  private boolean under;

  private String text = "";

  /** Learns what happens, for the owner, and says whether the client may go on. */
  interface Watch {
    /**
     * Why the connection has to end now; empty while it may go on.
     *
     * @param within a request that has begun: it is finished, unless its user has lost the right
     */
    String ending(boolean within);

    /** Before and after a request is handled. */
    void busy(boolean now);

    void ended(Statement statement, String text, String outcome);

    void failed(Throwable unexpected);
  }

  QueryProtocol(
      FrameReader frames,
      Replies replies,
      ClientSession session,
      MemoryPool.Part room,
      Watch watch) {
    this.frames = frames;
    this.replies = replies;
    this.session = session;
    this.sender = new ResultSender(replies, session);
    this.room = room;
    this.watch = watch;
  }

  /** Says that the login is over. */
  void begin(int process, int secret) throws IOException {
    sender.settings();
    replies.keyData(process, secret);
    sender.ready();
  }

  /** Until the client leaves. */
  void run() throws IOException {
    boolean open = true;
    while (open) {
      FrameReader.Frame frame = frames.next(FrameReader.LIMIT);
      watch.busy(true);
      try {
        String ending = watch.ending(under);
        under = frame.type() != 'Q' && frame.type() != 'S';
        if (!ending.isEmpty()) {
          new FatalError("57P01", ending).tell(replies);
          return;
        }
        open = take(frame);
      } catch (ProtocolError e) {
        if (e.isFatal()) {
          replies.report('E', ErrorFields.fields(e, "FATAL", ""));
          replies.flush();
          return;
        }
        refuse(e, isAlone(frame.type()));
      } catch (RuntimeException | StackOverflowError e) {
        refuse(e, isAlone(frame.type()));
      } finally {
        watch.busy(under);
      }
      if (!room.hold(kept())) {
        new FatalError("53200", "out of memory").tell(replies);
        return;
      }
    }
  }

  /** Whether nothing has to follow a message before it is answered. */
  private static boolean isAlone(byte type) {
    return type == 'Q' || type == 'F' || type == 'S';
  }

  /** About how much memory it takes to keep what was not closed. */
  private long kept() {
    long bytes = session.bytes();
    for (Portal portal : portals.values()) {
      bytes += portal.bytes();
    }
    return bytes;
  }

  private void hold(long more) {
    if (!room.hold(room.held() + more)) {
      throw SqlError.of(
          "53200",
          "There is no memory left for this now.",
          "Close portals, cursors and prepared statements; read answers that were asked for.");
    }
  }

  private void refuse(Throwable thrown, boolean simple) throws IOException {
    if (!ErrorFields.isExpected(thrown)) {
      watch.failed(thrown);
    }
    session.fail();
    sender.error(thrown, text);
    if (simple) {
      sender.ready();
    } else {
      skipping = true;
      replies.flush();
    }
  }

  /** Whether the client stays. */
  private boolean take(FrameReader.Frame frame) throws IOException {
    if (skipping && frame.type() != 'S' && frame.type() != 'X') {
      return true;
    }
    switch (Message.of(frame)) {
      case Message.Query query -> simple(query.sql());
      case Message.Parse parse -> parse(parse);
      case Message.Bind bind -> bind(bind);
      case Message.Describe describe -> describe(describe);
      case Message.Execute execute -> execute(execute);
      case Message.Close close -> {
        if (close.portal()) {
          portals.remove(close.name());
        } else {
          session.forget(close.name());
        }
        replies.plain('3');
      }
      case Message.Flush ignored -> replies.flush();
      case Message.Sync ignored -> {
        skipping = false;
        if (session.state() == 'I') {
          portals.clear();
        }
        sender.ready();
      }
      case Message.Call ignored ->
          throw SqlError.of("0A000", "Functions cannot be called by number.", "Use SELECT.");
      case Message.Copy ignored -> {
        // What is left of a COPY that was refused.
      }
      case Message.Terminate ignored -> {
        return false;
      }
    }
    return true;
  }

  private void simple(String sql) throws IOException {
    text = sql;
    portals.remove("");
    List<Statement> statements = StatementKinds.all(sql);
    if (statements.isEmpty()) {
      replies.plain('I');
    }
    for (Statement statement : statements) {
      sender.all(run(statement, List.of(), sql));
    }
    if (session.state() == 'I') {
      portals.clear();
    }
    sender.ready();
  }

  private Completion run(Statement statement, List<Object> values, String sql) {
    String ending = watch.ending(true); // a text holds many statements
    if (!ending.isEmpty()) {
      throw SqlError.of("57P01", ending);
    }
    try {
      Completion outcome = session.run(statement, values);
      hold(outcome.bytes());
      watch.ended(statement, audited(statement, sql), "answered");
      return outcome;
    } catch (RuntimeException e) {
      watch.ended(statement, audited(statement, sql), ErrorFields.code(e));
      throw e;
    }
  }

  /** Of a text with many statements the one; what EXECUTE asks stands in what was prepared. */
  private String audited(Statement statement, String sql) {
    return statement instanceof Statement.Execute execute
        ? session
            .text(execute.name())
            .map(text -> "EXECUTE " + execute.name() + ": " + text)
            .orElse("EXECUTE " + execute.name())
        : statement.rows().map(Statement.Query::sql).orElse(sql);
  }

  private void parse(Message.Parse parse) throws IOException {
    text = parse.sql();
    if (parse.name().isEmpty()) {
      session.forget("");
    }
    List<Optional<PgType>> declared = new ArrayList<>();
    for (int oid : parse.types()) {
      declared.add(
          oid == 0 || oid == PgType.UNKNOWN.oid() ? Optional.empty() : Optional.of(type(oid)));
    }
    Statement statement = StatementKinds.only(parse.sql());
    try {
      NamedStatement prepared = session.prepare(parse.sql(), statement, declared);
      hold(prepared.bytes());
      session.keep(parse.name(), prepared);
    } catch (RuntimeException e) {
      watch.ended(statement, parse.sql(), ErrorFields.code(e));
      throw e;
    }
    replies.plain('1');
  }

  private static PgType type(int oid) {
    return PgType.of(oid)
        .orElseThrow(
            () ->
                SqlError.of(
                    "0A000",
                    "Parameters of this type are not taken.",
                    "Send numbers, text, dates, times or booleans."));
  }

  private void bind(Message.Bind bind) throws IOException {
    NamedStatement prepared = session.prepared(bind.statement());
    text = prepared.text();
    session.requireWorking(prepared.statement());
    List<PgType> types = prepared.types();
    if (bind.values().size() != types.size()) {
      throw SqlError.of(
          "08P01",
          "bind message supplies "
              + bind.values().size()
              + " parameters, but prepared statement requires "
              + types.size());
    }
    requireFormats(bind.formats(), types.size(), "parameter formats", "parameters");
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      byte[] bytes = bind.values().get(i);
      boolean binary = format(bind.formats(), i) == 1;
      values.add(bytes == null ? null : ClientSession.value(bytes, types.get(i), binary));
    }
    if (!bind.portal().isEmpty() && portals.containsKey(bind.portal())) {
      throw SqlError.of("42P03", "cursor \"" + bind.portal() + "\" already exists");
    }
    if (portals.size() >= MOST_PORTALS) {
      throw SqlError.of("53000", "Too many portals are open.", "Close some.");
    }
    Optional<List<WireColumn>> columns = columns(prepared, values);
    columns.ifPresent(
        c -> requireFormats(bind.resultFormats(), c.size(), "result formats", "columns"));
    Portal portal = new Portal(prepared, values, columns, bind.resultFormats());
    hold(portal.bytes());
    portals.put(bind.portal(), portal);
    replies.plain('2');
  }

  /** None, one for all, or one each. */
  private static void requireFormats(List<Integer> formats, int count, String what, String of) {
    if (formats.size() > 1 && formats.size() != count) {
      throw SqlError.of(
          "08P01", "bind message has " + formats.size() + " " + what + " but " + count + " " + of);
    }
  }

  private Optional<List<WireColumn>> columns(NamedStatement prepared, List<Object> values) {
    try {
      return session.bind(prepared, values);
    } catch (RuntimeException e) {
      watch.ended(prepared.statement(), prepared.text(), ErrorFields.code(e));
      throw e;
    }
  }

  private static int format(List<Integer> formats, int i) {
    return formats.isEmpty()
        ? 0
        : formats.get(formats.size() == 1 ? 0 : Math.min(i, formats.size() - 1));
  }

  private void describe(Message.Describe describe) throws IOException {
    if (describe.portal()) {
      Portal portal = portal(describe.name());
      columns(portal.columns(), portal.formats());
      return;
    }
    NamedStatement prepared = session.prepared(describe.name());
    replies.parameters(prepared.types().stream().map(PgType::oid).toList());
    columns(prepared.columns(), List.of());
  }

  private void columns(Optional<List<WireColumn>> columns, List<Integer> formats)
      throws IOException {
    if (columns.isPresent()) {
      sender.description(columns.get(), formats);
    } else {
      replies.plain('n');
    }
  }

  private void execute(Message.Execute execute) throws IOException {
    Portal portal = portal(execute.portal());
    text = portal.prepared().text();
    if (portal.outcome().isEmpty()) {
      portal.ran(run(portal.prepared().statement(), portal.values(), text));
    }
    sender.rows(portal.outcome().orElseThrow(), portal.formats(), execute.rows());
  }

  private Portal portal(String name) {
    Portal known = portals.get(name);
    if (known == null) {
      throw SqlError.of("34000", "portal \"" + name + "\" does not exist");
    }
    return known;
  }

  /** A statement with its values, and how far its rows were sent. */
  static final class Portal {
    private final NamedStatement prepared;
    private final List<Object> values;
    private final Optional<List<WireColumn>> columns;
    private final List<Integer> formats;
    private Completion outcome;

    /**
     * @param formats of the results: none for text, one for all, or one each
     */
    Portal(
        NamedStatement prepared,
        List<Object> values,
        Optional<List<WireColumn>> columns,
        List<Integer> formats) {
      this.prepared = prepared;
      this.values = values;
      this.columns = columns;
      this.formats = formats;
    }

    NamedStatement prepared() {
      return prepared;
    }

    List<Object> values() {
      return values;
    }

    Optional<List<WireColumn>> columns() {
      return columns;
    }

    List<Integer> formats() {
      return formats;
    }

    /** What it came to, once it was run. */
    Optional<Completion> outcome() {
      return Optional.ofNullable(outcome);
    }

    /** About how much memory it takes. */
    long bytes() {
      return MemoryGuard.of(values) + outcome().map(Completion::bytes).orElse(0L);
    }

    void ran(Completion result) {
      outcome = result;
    }
  }
}
