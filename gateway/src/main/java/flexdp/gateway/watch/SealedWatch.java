package flexdp.gateway.watch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.gateway.ask.Above;
import flexdp.gateway.ask.Every;
import flexdp.gateway.ask.WatchOrder;
import flexdp.gateway.ledger.entry.Entry;
import flexdp.noise.SparseVector;
import flexdp.sensitivity.Direction;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All of a watch that never changes, its noise among it: private. The ledger has a hash of it, so
 * that nothing else is ever taken for it; the salt keeps that hash from telling the noise.
 *
 * @param direction which way the number goes when something is added, as far as the noise rests on
 *     it
 * @param rho what the threshold is shifted by, in steps of the grid
 */
record SealedWatch(
    WatchOrder order, SparseVector vector, Direction direction, BigInteger rho, String salt) {
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
    all.put("every", order.every().word());
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
    return Entry.digest(FORMAT, text);
  }

  /** Reads what {@link #text} writes, after its seal was found to be the ledger's. */
  static SealedWatch parse(String text) {
    try {
      Map<?, ?> all = JSON.readValue(text, Map.class);
      Above above =
          new Above(new BigDecimal(word(all, "above")), Integer.parseInt(word(all, "hits")));
      return new SealedWatch(
          new WatchOrder(
              word(all, "name"), word(all, "sql"), above, Every.parse(word(all, "every"))),
          new SparseVector(
              new BigDecimal(word(all, "epsilon")),
              above.hits(),
              Boolean.parseBoolean(word(all, "monotone")),
              new BigDecimal(word(all, "sensitivity")),
              new BigDecimal(word(all, "grid"))),
          new Direction(
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
