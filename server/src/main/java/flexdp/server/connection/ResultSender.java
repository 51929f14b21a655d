package flexdp.server.connection;

import flexdp.server.session.ClientSession;
import flexdp.server.session.Completion;
import flexdp.server.session.CopyFormat;
import flexdp.server.session.ErrorFields;
import flexdp.server.session.SessionSettings;
import flexdp.server.session.WireColumn;
import flexdp.server.wire.Replies;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Sends results. A client that reads slowly holds up its own thread and nobody else's. */
final class ResultSender {
  private static final Set<String> ABOVE_NOTICE = Set.of("warning", "error", "fatal", "panic");

  private final Replies replies;
  private final ClientSession session;
  private final Map<String, String> reported = new HashMap<>();
  private int seen = -1;

  ResultSender(Replies replies, ClientSession session) {
    this.replies = replies;
    this.session = session;
  }

  /** Tells the client about settings that it keeps track of and that are not as it knows them. */
  void settings() throws IOException {
    if (seen == session.settings().changes()) {
      return;
    }
    seen = session.settings().changes();
    for (String name : SessionSettings.reported()) {
      String value = session.settings().value(name).orElse("");
      if (!value.equals(reported.put(name, value))) {
        replies.parameter(name, value);
      }
    }
  }

  void ready() throws IOException {
    settings();
    replies.ready(session.state());
  }

  void notices(Completion outcome) throws IOException {
    String least =
        session.settings().value("client_min_messages").orElse("notice").toLowerCase(Locale.ROOT);
    for (Map<Character, String> notice : outcome.notices()) {
      if (!ABOVE_NOTICE.contains(least) || !notice.get('S').equals("NOTICE")) {
        replies.report('N', notice);
      }
    }
  }

  void description(List<WireColumn> columns, List<Integer> formats) throws IOException {
    replies.description(columns.stream().map(WireColumn::field).toList(), each(formats, columns));
  }

  /** A whole result, as the simple protocol has it. */
  void all(Completion outcome) throws IOException {
    if (outcome.copy().isEmpty() && outcome.columns().isPresent()) {
      description(outcome.columns().get(), List.of());
    }
    rows(outcome, List.of(), 0);
  }

  /**
   * Rows of a result.
   *
   * @param most 0 for all of them
   * @return whether there are no more
   */
  boolean rows(Completion outcome, List<Integer> formats, int most) throws IOException {
    if (outcome.tag().isEmpty()) {
      replies.plain('I');
      return true;
    }
    List<WireColumn> columns = outcome.columns().orElse(List.of());
    long sent =
        outcome.copy().isPresent()
            ? copy(outcome, columns, outcome.copy().get())
            : data(outcome, columns, each(formats, columns), most);
    if (most > 0 && outcome.rows().hasNext()) {
      replies.plain('s');
      return false;
    }
    notices(outcome);
    replies.complete(outcome.tag().replace("%d", Long.toString(sent)));
    return true;
  }

  private long data(Completion outcome, List<WireColumn> columns, List<Integer> formats, int most)
      throws IOException {
    long sent = 0;
    while (outcome.rows().hasNext() && (most <= 0 || sent < most)) {
      List<Object> row = outcome.rows().next();
      byte[][] values = new byte[columns.size()][];
      for (int i = 0; i < values.length; i++) {
        values[i] = columns.get(i).encode(row.get(i), formats.get(i) == 1);
      }
      replies.row(values);
      sent++;
    }
    return sent;
  }

  private long copy(Completion outcome, List<WireColumn> columns, CopyFormat format)
      throws IOException {
    replies.copyOut(format.binary(), columns.size());
    if (format.binary()) {
      replies.copyData(CopyFormat.head());
    }
    if (format.header()) {
      replies.copyData(format.names(columns));
    }
    long sent = 0;
    while (outcome.rows().hasNext()) {
      replies.copyData(format.row(columns, outcome.rows().next()));
      sent++;
    }
    if (format.binary()) {
      replies.copyData(CopyFormat.end());
    }
    replies.plain('c');
    return sent;
  }

  void error(Throwable thrown, String text) throws IOException {
    replies.report('E', ErrorFields.fields(thrown, "ERROR", text));
  }

  private static List<Integer> each(List<Integer> formats, List<WireColumn> columns) {
    if (formats.size() == columns.size()) {
      return formats;
    }
    return Collections.nCopies(columns.size(), formats.isEmpty() ? 0 : formats.getFirst());
  }
}
