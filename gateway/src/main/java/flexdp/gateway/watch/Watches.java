package flexdp.gateway.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.failure.LedgerError;
import flexdp.gateway.api.ParameterizedQuery;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.WatchPeriod;
import flexdp.gateway.api.WatchView;
import flexdp.gateway.api.WatchView.WatchOrder;
import flexdp.gateway.database.CancellationToken.QueryCancelled;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.Session.DatabaseTimeout;
import flexdp.gateway.engine.AnalystAccess;
import flexdp.gateway.ledger.WatchRegister;
import flexdp.gateway.ledger.WatchRegister.WatchState;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.store.PrivateFiles;
import flexdp.gateway.livedata.SnapshotGuard;
import flexdp.gateway.watch.ThresholdAnswers.DisjointParts;
import flexdp.noise.BitSource;
import flexdp.noise.SparseVector;
import flexdp.sensitivity.MonotoneDirection;
import flexdp.sql.bind.ParameterTypes.Parameter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Watches: a number is compared with a threshold once in each period. Arming one costs ε, misses
 * cost nothing, and after as many hits as were ordered it is closed.
 *
 * <p>What a watch found is on record before anybody hears of it, and that a turn began is on record
 * before anything is read. So no turn is ever looked at twice, whatever dies in between, and no
 * noise drawn again.
 */
public final class Watches {
  /** The parameter that is the beginning of the period. */
  public static final String NOW = "now";

  private final WatchEvaluation evaluation;
  private final WatchRegister book;
  private final Place place;
  private final WatchFile file;
  private final ErrorLog log;
  private final Clock clock;
  private final Function<QueryRequest, ParameterizedQuery> preparing;
  private final Supplier<BitSource> bits;

  /**
   * Where the noise of watches is kept.
   *
   * @param shared whether other gateways, with files of their own, use the same ledger
   */
  public record Place(Path file, boolean shared) {}

  /**
   * @param preparing finds out whether a question has a place for the time
   */
  Watches(
      WatchEvaluation evaluation,
      WatchRegister book,
      Place place,
      ErrorLog log,
      Clock clock,
      Function<QueryRequest, ParameterizedQuery> preparing,
      Supplier<BitSource> bits) {
    this.evaluation = evaluation;
    this.book = book;
    this.place = place;
    this.file = new WatchFile(place.file());
    this.log = log;
    this.clock = clock;
    this.preparing = preparing;
    this.bits = bits;
  }

  /**
   * Arms a watch; it is charged in full.
   *
   * @param ask who asks and at which ε
   * @throws flexdp.failure.Rejection when the question cannot be watched, at no cost
   * @throws flexdp.failure.BudgetError when the budget does not cover it, at no cost
   */
  public WatchView add(WatchOrder order, QueryRequest ask) {
    AnalystAccess.require(evaluation.policy(), ask.analyst());
    if (find(ask.analyst(), order.name()).isPresent()) {
      throw ConfigurationError.of(
          Code.BAD_REQUEST,
          "there is a watch '" + order.name() + "' already",
          "Give it another name, or remove that one first.");
    }
    QueryRequest asked = ask.about(order.sql());
    LocalDateTime now = begin(order);
    SingleNumberQuery number;
    SingleNumberQuery planned = evaluation.number(at(asked, now), true);
    try (SnapshotGuard guard = evaluation.footing().needs(planned.plan())) {
      number = guard.steady(() -> planned.in(guard));
    } catch (DatabaseTimeout e) {
      throw DatabaseError.of(DatabaseError.TOO_LATE, "");
    }
    SparseVector vector =
        ThresholdAnswers.vector(List.of(number), evaluation.epsilon(ask), order.above().hits());
    SingleNumberQuery next = evaluation.number(at(asked, order.period().next(now)), true);
    String note = DisjointParts.note(List.of(number, next));
    ChargeRequest request =
        evaluation.request(asked, ChargeRequest.WATCH, number.tables(), vector.epsilon());
    book.permit(request.measuring(Set.of(number.meaning())));
    BitSource source = bits.get();
    SealedWatch sealed =
        new SealedWatch(order, vector, number.direction(), vector.threshold(source), salt(source));
    file.keep(sealed);
    long charge = book.arm(request, order.name(), sealed.seal());
    return view(state(charge)).noted(note);
  }

  private static String salt(BitSource source) {
    StringBuilder salt = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      salt.append(Long.toHexString(source.bits(Long.SIZE)));
    }
    return salt.toString();
  }

  /** The watches of an analyst, the oldest first; closed ones too. */
  public List<WatchView> list(String analyst) {
    AnalystAccess.require(evaluation.policy(), analyst);
    return book.all().stream().filter(w -> w.analyst().equals(analyst)).map(this::view).toList();
  }

  /** Closes a watch; what it cost stays spent. */
  public WatchView remove(String analyst, String name) {
    WatchState state = required(analyst, name);
    book.close(state.charge(), ChargeOutcome.CANCELLED, Set.of());
    return view(state(state.charge()));
  }

  /**
   * Lets the watches of an analyst look, those whose turn it is. What was found before in the same
   * period is shown again.
   *
   * @param name of one, or all
   */
  public List<WatchView> run(String analyst, Optional<String> name) {
    AnalystAccess.require(evaluation.policy(), analyst);
    List<WatchState> due =
        name.map(n -> List.of(required(analyst, n)))
            .orElseGet(
                () ->
                    book.all().stream()
                        .filter(w -> w.isOpen() && w.analyst().equals(analyst))
                        .toList());
    return due.stream().map(this::looked).toList();
  }

  /**
   * Lets the watches of some analysts look that have not looked in this period. One whose noise is
   * not kept here is left alone.
   *
   * @return what they found; nothing of those that could not look
   */
  public List<WatchView> due(Predicate<String> analysts) {
    List<WatchView> found = new ArrayList<>();
    for (WatchState state : book.all()) {
      if (state.isOpen() && mayAsk(state.analyst(), analysts) && isDue(state)) {
        WatchView view = looked(state);
        if (view.turns().size() > state.turns().size()) {
          found.add(view);
        }
      }
    }
    return found;
  }

  private boolean mayAsk(String analyst, Predicate<String> analysts) {
    return evaluation.policy().privacy().accounts().admits(analyst) && analysts.test(analyst);
  }

  private boolean isDue(WatchState state) {
    Optional<String> last = state.last().map(WatchState.Turn::label);
    return file.find(state.seal())
        .map(kept -> begin(kept.order()).toString())
        .filter(label -> last.isEmpty() || last.get().compareTo(label) < 0)
        .isPresent();
  }

  private Optional<WatchState> find(String analyst, String name) {
    return book.all().stream()
        .filter(w -> w.isOpen() && w.analyst().equals(analyst) && w.name().equals(name))
        .findFirst();
  }

  private WatchState required(String analyst, String name) {
    return find(analyst, name)
        .orElseThrow(
            () ->
                ConfigurationError.of(
                    Code.BAD_REQUEST,
                    "there is no armed watch '" + name + "'",
                    "See them all: flexdp watch list"));
  }

  private WatchState state(long charge) {
    return book.all().stream().filter(w -> w.charge() == charge).findFirst().orElseThrow();
  }

  private LocalDateTime begin(WatchOrder order) {
    return order.period().begin(LocalDateTime.now(clock));
  }

  private WatchView looked(WatchState state) {
    Optional<SealedWatch> sealed = file.find(state.seal());
    if (sealed.isEmpty()) {
      // Gateways that share a ledger keep the noise of their own watches.
      if (!place.shared()) {
        book.close(state.charge(), ChargeOutcome.LOST, Set.of());
      }
      return view(state(state.charge()));
    }
    if (state.hits() >= sealed.get().order().above().hits()) {
      book.close(state.charge(), ChargeOutcome.RELEASED, Set.of()); // it died before it could
      return view(state(state.charge()));
    }
    LocalDateTime turn = begin(sealed.get().order());
    String label = turn.toString();
    Optional<String> last = state.last().map(WatchState.Turn::label);
    if (last.filter(l -> l.compareTo(label) > 0).isPresent()) {
      return view(state).noted("the clock stands before the last turn; nothing was looked at");
    }
    if (!last.equals(Optional.of(label))) {
      try {
        look(state, sealed.get(), turn);
      } catch (DatabaseTimeout e) {
        return view(state).noted(DatabaseError.TOO_LATE + " Nothing was read.");
      } catch (ConfigurationError e) {
        // What another process finds in this period stands in the list, or will.
        String end = e.code() == Code.BAD_USAGE ? "" : " Neither hit nor miss.";
        return view(state(state.charge())).noted((e.message() + ". " + e.hint()).strip() + end);
      } catch (Failure e) {
        return view(state(state.charge()))
            .noted((e.message() + " " + e.hint()).strip() + " Neither hit nor miss.");
      }
    }
    return view(state(state.charge()));
  }

  private void look(WatchState state, SealedWatch sealed, LocalDateTime turn) {
    QueryRequest ask =
        QueryRequest.of(sealed.order().sql(), state.analyst()).at(sealed.vector().epsilon());
    SingleNumberQuery number = evaluation.number(at(ask, turn), true);
    book.permit(state.request().measuring(Set.of(number.meaning())));
    String label = turn.toString();
    long charge = state.charge();
    int most = sealed.order().above().hits();
    Optional<BigInteger> gap;
    try (SnapshotGuard guard = evaluation.footing().needs(number.plan())) {
      guard.keep(); // what is found not to fit is not begun, and both are of one state
      SingleNumberQuery now = guard.steady(() -> number.in(guard));
      require(now, sealed, state);
      book.begin(charge, label, most);
      gap = compared(now, sealed, guard, charge, label);
    }
    boolean over =
        book.end(
            charge,
            label,
            gap.map(steps -> sealed.vector().grid().multiply(new BigDecimal(steps))),
            most);
    if (over) {
      book.close(charge, ChargeOutcome.RELEASED, Set.of());
    }
  }

  /** What fails is neither hit nor miss; it is not run again, and ends the watch. */
  private Optional<BigInteger> compared(
      SingleNumberQuery number,
      SealedWatch sealed,
      SnapshotGuard guard,
      long charge,
      String label) {
    try {
      SparseVector vector = sealed.vector();
      BigInteger exact = guard.steady(() -> evaluation.exact(number, guard, vector.grid()));
      return vector
          .comparison(sealed.rho(), bits.get())
          .gap(exact, vector.steps(sealed.order().above().threshold()));
    } catch (DatabaseTimeout e) {
      failed(charge, ChargeOutcome.TIMED_OUT, number);
      throw DatabaseError.of(DatabaseError.TOO_LATE, "");
    } catch (QueryCancelled e) {
      book.lose(charge, label);
      throw DatabaseError.of("The question was cancelled.", "");
    } catch (DatabaseError e) {
      if (e.isLost()) {
        book.lose(charge, label);
      } else {
        failed(charge, ChargeOutcome.FAILED, number);
      }
      throw e;
    } catch (RuntimeException e) {
      log.failure("watching", e);
      failed(charge, ChargeOutcome.FAILED, number);
      throw DatabaseError.of(DatabaseError.NO_ANSWER, "");
    } catch (Error e) {
      failed(charge, ChargeOutcome.FAILED, number);
      throw e;
    }
  }

  /**
   * Notes that a check failed, which says something exact. Where the watch was closed meanwhile it
   * cannot be put on record, would not be held against anybody, and is not told.
   */
  private void failed(long charge, ChargeOutcome failure, SingleNumberQuery number) {
    if (!book.close(charge, failure, Set.of(number.meaning()))) {
      throw WatchRegister.closed();
    }
  }

  /** The policy may have changed since it was armed. */
  private void require(SingleNumberQuery number, SealedWatch sealed, WatchState state) {
    SparseVector vector = sealed.vector();
    boolean same =
        number.sensitivity().compareTo(vector.sensitivity()) <= 0
            && number.grid().compareTo(vector.grid()) == 0
            && (!vector.monotone() || number.direction().and(sealed.direction()).isOneWay())
            && state.request().tables().containsAll(book.recorded(number.tables()));
    if (!same) {
      throw ConfigurationError.of(
          Code.BAD_POLICY,
          "the policy says something else than when the watch was armed",
          "Remove it, and arm another.");
    }
  }

  /** The question at the beginning of a period. */
  private QueryRequest at(QueryRequest ask, LocalDateTime turn) {
    ParameterizedQuery prepared = preparing.apply(ask);
    Map<String, Object> values = new HashMap<>();
    for (Parameter parameter : prepared.parameters()) {
      if (parameter.name().equals(NOW)) {
        values.put(NOW, turn);
      }
    }
    return prepared.parameters().isEmpty() ? ask : prepared.bind(values);
  }

  private WatchView view(WatchState state) {
    Optional<SealedWatch> sealed = file.find(state.seal());
    return WatchViews.of(state, sealed.map(SealedWatch::order));
  }

  /**
   * Where the noise of watches is kept: a file beside the ledger that only its owner can read, one
   * line for each. Lines are added and never changed, so an older copy of the file lacks watches
   * and has none of another kind.
   */
  private static final class WatchFile {
    /** A lock of a file keeps other processes out, and is an error between threads of one. */
    private static final Object ONE_AT_A_TIME = new Object();

    private final Path path;

    WatchFile(Path path) {
      this.path = path;
    }

    /** Keeps it, on disk when this returns. */
    void keep(SealedWatch watch) {
      synchronized (ONE_AT_A_TIME) {
        write(watch);
      }
    }

    private void write(SealedWatch watch) {
      try {
        PrivateFiles.create(path);
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            FileLock lock = channel.lock()) {
          // After a line that a crash has torn, one begins anew.
          ByteBuffer bytes =
              ByteBuffer.wrap(("\n" + watch.text() + "\n").getBytes(StandardCharsets.UTF_8));
          while (lock.isValid() && bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.force(true);
        }
      } catch (IOException e) {
        throw fault("cannot be written", e);
      }
    }

    /** What has this seal; nothing when it is lost, or is not what it was. */
    Optional<SealedWatch> find(String seal) {
      if (!Files.exists(path)) {
        return Optional.empty();
      }
      try {
        String all = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
        return all.lines()
            .filter(line -> !line.isBlank() && SealedWatch.seal(line).equals(seal))
            .findFirst()
            .map(SealedWatch::parse);
      } catch (IOException e) {
        throw fault("cannot be read", e);
      }
    }

    private LedgerError fault(String what, IOException e) {
      return LedgerError.of(
          LedgerError.Code.LEDGER_READ_ONLY,
          "The file " + path + " of the watches " + what + ".",
          RepairCommands.WRITABLE,
          e);
    }
  }

  /** Watches as analysts see them. */
  private static final class WatchViews {
    private WatchViews() {}

    static WatchView of(WatchState state, Optional<WatchOrder> order) {
      WatchView.State now =
          order.isEmpty()
              ? WatchView.State.LOST
              : state.isOpen() ? WatchView.State.ARMED : WatchView.State.CLOSED;
      List<WatchView.Turn> turns = new ArrayList<>();
      boolean failed = state.ended().filter(ChargeOutcome::isFailure).isPresent();
      state
          .turns()
          .forEach(t -> turns.add(new WatchView.Turn(t.label(), verdict(t, failed), t.gap())));
      return new WatchView(
          state.name(),
          state.analyst(),
          state.request().query(),
          now,
          order,
          state.request().cost().epsilon(),
          state.armed(),
          turns,
          note(now, state));
    }

    private static WatchView.Verdict verdict(WatchState.Turn turn, boolean failed) {
      return switch (turn.step()) {
        case HIT -> WatchView.Verdict.HIT;
        case MISS -> WatchView.Verdict.MISS;
        case LOST -> WatchView.Verdict.FAILED;
        case BEGUN -> failed ? WatchView.Verdict.FAILED : WatchView.Verdict.UNFINISHED;
        case ARMED -> throw new IllegalStateException("no turn");
      };
    }

    private static String note(WatchView.State now, WatchState state) {
      if (now == WatchView.State.LOST) {
        return state.isOpen()
            ? "Its noise is stored elsewhere. Nothing is drawn again: arm another where it is wanted."
            : "Its noise was lost, and is not drawn again. Arm another.";
      }
      return state
          .ended()
          .map(
              outcome ->
                  switch (outcome) {
                    case RELEASED -> "It has hit as often as it was to.";
                    case CANCELLED -> "It was removed.";
                    case FAILED, TIMED_OUT ->
                        "The database failed, and what failed is not run again. The owner can let it"
                            + " be tried again: ./flexdp budget clear-failures --policy FILE";
                    case LOST -> "Its noise was lost, and is not drawn again.";
                  })
          .orElse("");
    }
  }

  /**
   * All of a watch that never changes, its noise among it: private. The ledger has a hash of it, so
   * that nothing else is ever taken for it; the salt keeps that hash from telling the noise.
   *
   * @param direction which way the number goes when something is added, as far as the noise rests
   *     on it
   * @param rho what the threshold is shifted by, in steps of the grid
   */
  private record SealedWatch(
      WatchOrder order,
      SparseVector vector,
      MonotoneDirection direction,
      BigInteger rho,
      String salt) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FORMAT = "flexdp-watch-1";

    /** One line of text. */
    String text() {
      Map<String, String> all = new LinkedHashMap<>();
      all.put("format", FORMAT);
      all.put("name", order.name());
      all.put("sql", order.sql());
      all.put("above", order.above().threshold().toString());
      all.put("hits", Integer.toString(order.above().hits()));
      all.put("every", order.period().word());
      all.put("epsilon", vector.epsilon().toString());
      all.put("monotone", Boolean.toString(vector.monotone()));
      all.put("up", Boolean.toString(direction.onlyUp()));
      all.put("down", Boolean.toString(direction.onlyDown()));
      all.put("sensitivity", vector.sensitivity().toString());
      all.put("grid", vector.grid().toString());
      all.put("rho", rho.toString());
      all.put("salt", salt);
      try {
        return JSON.writeValueAsString(all);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }

    String seal() {
      return seal(text());
    }

    static String seal(String text) {
      return LedgerEntry.digest(FORMAT, text);
    }

    /** Reads what {@link #text} writes, after its seal was found to be the ledger's. */
    static SealedWatch parse(String text) {
      try {
        Map<?, ?> all = JSON.readValue(text, Map.class);
        ThresholdQuery above =
            new ThresholdQuery(
                new BigDecimal(word(all, "above")), Integer.parseInt(word(all, "hits")));
        return new SealedWatch(
            new WatchOrder(
                word(all, "name"), word(all, "sql"), above, WatchPeriod.parse(word(all, "every"))),
            new SparseVector(
                new BigDecimal(word(all, "epsilon")),
                above.hits(),
                Boolean.parseBoolean(word(all, "monotone")),
                new BigDecimal(word(all, "sensitivity")),
                new BigDecimal(word(all, "grid"))),
            new MonotoneDirection(
                Boolean.parseBoolean(word(all, "up")), Boolean.parseBoolean(word(all, "down"))),
            new BigInteger(word(all, "rho")),
            word(all, "salt"));
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException("not a watch", e);
      }
    }

    private static String word(Map<?, ?> all, String key) {
      if (all.get(key) instanceof String word) {
        return word;
      }
      throw new IllegalArgumentException("a watch without " + key);
    }
  }
}
