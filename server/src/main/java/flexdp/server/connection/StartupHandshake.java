package flexdp.server.connection;

import flexdp.server.login.Passwords;
import flexdp.server.login.Scram;
import flexdp.server.login.Secrets;
import flexdp.server.login.Throttle;
import flexdp.server.login.User;
import flexdp.server.wire.BadText;
import flexdp.server.wire.FrameReader;
import flexdp.server.wire.MemoryPool;
import flexdp.server.wire.ProtocolError;
import flexdp.server.wire.Replies;
import flexdp.server.wire.Startup;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;

/** From the first byte to a login that was accepted. */
final class StartupHandshake {
  private static final int SASL = 10;
  private static final int SASL_CONTINUE = 11;
  private static final int SASL_FINAL = 12;

  /** A client whose login was accepted. */
  record Opened(
      Passwords.Known secret,
      ServerState.Offer offer,
      Map<String, String> parameters,
      FrameReader frames,
      Replies replies,
      Socket socket) {
    User user() {
      return secret.user();
    }
  }

  private final ServerState serverState;
  private final CancelKeys cancels;
  private final MemoryPool.Part part;
  private final String address;
  private Consumer<PendingConnections.Step> progress = step -> {};
  private Socket socket;
  private boolean encrypted;
  private Replies replies;

  StartupHandshake(ServerState serverState, CancelKeys cancels, MemoryPool.Part part, Socket socket)
      throws IOException {
    this.serverState = serverState;
    this.cancels = cancels;
    this.part = part;
    this.socket = socket;
    this.address = socket.getInetAddress().getHostAddress();
    this.replies = new Replies(socket.getOutputStream());
  }

  /** Nobody when the client wanted something else than to log in, or was refused. */
  Optional<Opened> run(Consumer<PendingConnections.Step> reached) throws IOException {
    progress = reached;
    try {
      Optional<Startup.Login> login = startup();
      return login.isPresent() ? Optional.of(login(login.get())) : Optional.empty();
    } catch (FatalError e) {
      e.tell(replies);
    } catch (ProtocolError | BadText e) {
      new FatalError("08P01", e.getMessage()).tell(replies);
    } catch (Scram.Malformed e) {
      new FatalError("28000", e.getMessage()).tell(replies);
    }
    return Optional.empty();
  }

  /** What comes before the login is read without a buffer: nothing sent early is taken later. */
  private Optional<Startup.Login> startup() throws IOException {
    for (int i = 0; i < 3; i++) {
      Startup said = Startup.of(new FrameReader(socket.getInputStream()).startup());
      progress.accept(PendingConnections.Step.GREETED);
      switch (said) {
        case Startup.Gss ignored -> answer('N');
        case Startup.Tls ignored -> {
          boolean possible = serverState.tls().isPresent() && !encrypted;
          answer(possible ? 'S' : 'N');
          if (possible) {
            socket = serverState.tls().get().over(socket);
            encrypted = true;
            replies = new Replies(socket.getOutputStream());
          }
        }
        case Startup.Cancel c -> {
          cancel(new CancelKeys.Key(c.process(), c.secret()));
          return Optional.empty();
        }
        case Startup.Login login -> {
          return Optional.of(login);
        }
      }
    }
    throw new ProtocolError("too many requests before the login");
  }

  /** Keys are short: who tries wrong ones is slowed down like who tries wrong passwords. */
  private void cancel(CancelKeys.Key key) {
    String guesser = "cancel " + address;
    try {
      serverState
          .throttle()
          .guess(guesser, "", () -> cancels.cancel(key) ? Optional.of(key) : Optional.empty());
    } catch (Throttle.Crowded e) {
      return; // a request to cancel is never answered
    }
  }

  private void answer(char letter) throws IOException {
    socket.getOutputStream().write(letter);
    socket.getOutputStream().flush();
  }

  private Opened login(Startup.Login login) throws IOException {
    Map<String, String> parameters = login.parameters();
    String name = parameters.getOrDefault("user", "");
    String database = parameters.getOrDefault("database", "");
    if (serverState.tlsRequired() && !encrypted) {
      throw new FatalError(
          "28000", "this server takes encrypted connections only (sslmode=require)");
    }
    if (name.isEmpty()) {
      throw new FatalError("28000", "no PostgreSQL user name specified in startup packet");
    }
    if (parameters.containsKey("replication")) {
      throw new FatalError("0A000", "there is nothing to replicate");
    }
    List<String> unknown =
        parameters.keySet().stream().filter(p -> p.startsWith("_pq_.")).sorted().toList();
    if (login.minor() > 0 || !unknown.isEmpty()) {
      replies.negotiate(unknown);
    }
    FrameReader frames = new FrameReader(new BufferedInputStream(socket.getInputStream()), part);
    ServerState.Served served = serverState.served().get();
    Passwords.Known secret = authenticate(frames, served, name, database);
    Optional<ServerState.Offer> offer =
        served.offer(database, name).filter(o -> secret.user().mayAsk(o.engine().name()));
    if (offer.isEmpty()) {
      record("refused login", name, database, "no such database");
      throw new FatalError("3D000", "database \"" + shortened(database) + "\" does not exist");
    }
    record("login", name, offer.get().engine().name(), "accepted");
    replies.authentication(0, new byte[0]);
    return new Opened(secret, offer.get(), parameters, frames, replies, socket);
  }

  private Passwords.Known authenticate(
      FrameReader frames, ServerState.Served served, String name, String database)
      throws IOException {
    replies.authentication(SASL, offered());
    replies.flush();
    ByteBuffer first = ByteBuffer.wrap(password(frames));
    int end = 0;
    while (end < first.limit() && first.get(end) != 0) {
      end++;
    }
    if (first.limit() - end < 5 || first.getInt(end + 1) != first.limit() - end - 5) {
      throw new ProtocolError("malformed SASL message");
    }
    progress.accept(PendingConnections.Step.ANSWERED);
    String mechanism = new String(first.array(), 0, end, StandardCharsets.US_ASCII);
    Optional<User> user = served.users().user(name);
    Scram scram =
        new Scram(
            user,
            Secrets.unknownSalt(serverState.pepper(), name),
            socket instanceof SSLSocket secure
                ? Optional.of(Tls.endPoint(secure))
                : Optional.empty(),
            mechanism);
    byte[] reply = scram.first(Arrays.copyOfRange(first.array(), end + 5, first.limit()));
    replies.authentication(SASL_CONTINUE, reply);
    replies.flush();
    byte[] proof = password(frames);
    Optional<Scram.Accepted> accepted = guessed(name, () -> scram.last(proof));
    if (accepted.isEmpty()) {
      record("refused login", name, database, "wrong name or password");
      throw new FatalError(
          "28P01", "password authentication failed for user \"" + shortened(name) + "\"");
    }
    replies.authentication(SASL_FINAL, accepted.get().finalMessage());
    String opened = accepted.get().secret();
    return new Passwords.Known(
        user.orElseThrow(), opened, user.orElseThrow().secrets().get(opened));
  }

  private <T> Optional<T> guessed(String name, Supplier<Optional<T>> check) {
    try {
      return serverState.throttle().guess(address, name, check);
    } catch (Throttle.Crowded e) {
      record("refused login", name, "", "too many wrong passwords");
      throw new FatalError("53300", e.getMessage());
    }
  }

  private byte[] offered() {
    StringBuilder names = new StringBuilder();
    Scram.mechanisms(encrypted).forEach(m -> names.append(m).append('\0'));
    return names.append('\0').toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] password(FrameReader frames) throws IOException {
    FrameReader.Frame frame = frames.next(FrameReader.LOGIN_LIMIT);
    if (frame.type() != 'p') {
      throw new ProtocolError("expected SASL response");
    }
    return frame.body();
  }

  private void record(String what, String user, String database, String outcome) {
    serverState.audit().record(what, user, address, database, "", outcome);
  }

  private static String shortened(String name) {
    return name.length() > 100 ? name.substring(0, 100) + "…" : name;
  }

  /** The options of a startup message: {@code -c name=value} and {@code --name=value}. */
  static final class StartupOptions {
    private StartupOptions() {}

    static Map<String, String> of(String text) {
      Map<String, String> settings = new LinkedHashMap<>();
      List<String> words = words(text);
      for (int i = 0; i < words.size(); i++) {
        String word = words.get(i);
        String pair = "";
        if (word.equals("-c") && i + 1 < words.size()) {
          pair = words.get(++i);
        } else if (word.startsWith("--")) {
          pair = word.substring(2);
        } else if (word.startsWith("-c")) {
          pair = word.substring(2);
        }
        int equals = pair.indexOf('=');
        if (equals < 1) {
          throw new FatalError("42601", "invalid command-line argument for server process");
        }
        settings.put(pair.substring(0, equals).replace('-', '_'), pair.substring(equals + 1));
      }
      return settings;
    }

    /** Separated by blanks; a backslash keeps the next character. */
    private static List<String> words(String text) {
      List<String> words = new ArrayList<>();
      StringBuilder word = new StringBuilder();
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '\\' && i + 1 < text.length()) {
          word.append(text.charAt(++i));
        } else if (!Character.isWhitespace(c)) {
          word.append(c);
        } else if (!word.isEmpty()) {
          words.add(word.toString());
          word.setLength(0);
        }
      }
      if (!word.isEmpty()) {
        words.add(word.toString());
      }
      return words;
    }
  }
}
