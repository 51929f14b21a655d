package flexdp.gateway.cache;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.release.ContributionCap;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is said with an answer when it is given again.
 *
 * @param at when it was read, of data that may have changed since
 * @param notes how its numbers came about
 * @param caps of what people contribute to them
 */
record CachedNotes(Optional<Instant> at, List<String> notes, List<ContributionCap> caps) {
  private static final JsonFactory JSON = new JsonFactory();

  CachedNotes {
    notes = List.copyOf(notes);
    caps = List.copyOf(caps);
  }

  /** To the minute: nobody needs to know better when somebody else asked. */
  static Instant moment(Instant now) {
    return now.truncatedTo(ChronoUnit.MINUTES);
  }

  /** Before everything that is long. */
  void write(ObjectNode body) {
    at.ifPresent(moment -> body.put("at", moment.toString()));
    if (!notes.isEmpty()) {
      notes.forEach(body.putArray("notes")::add);
    }
    if (!caps.isEmpty()) {
      ArrayNode all = body.putArray("caps");
      caps.forEach(cap -> CachedCap.write(all.addObject(), cap));
    }
  }

  /** Of a text that may be older than this, or none of ours: then nothing is said. */
  static CachedNotes of(ReleasedAnswer answer) {
    Optional<Instant> at = Optional.empty();
    List<String> notes = new ArrayList<>();
    List<ContributionCap> caps = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(answer.body())) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals("at") && value == JsonToken.VALUE_STRING) {
          at = Optional.of(Instant.parse(parser.getText()));
        } else if (field.equals("notes") && value == JsonToken.START_ARRAY) {
          while (parser.nextToken() == JsonToken.VALUE_STRING) {
            notes.add(parser.getText());
          }
        } else if (field.equals("caps") && value == JsonToken.START_ARRAY) {
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            caps.add(CachedCap.read(parser));
          }
        } else if (value != null && value.isStructStart()) {
          break; // the long part
        }
      }
    } catch (IOException | DateTimeException | NumberFormatException e) {
      return new CachedNotes(Optional.empty(), List.of(), List.of());
    }
    return new CachedNotes(at, notes, caps);
  }
}
