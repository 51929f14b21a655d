package flexdp.gateway.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Note;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Notes name columns, and names hold what they like. */
class NotesInHeadersTest {
  @Test
  void everyNameIsPrintable() throws Exception {
    StringBuilder name = new StringBuilder("left out are rows whose ");
    for (char c = 0; c < 0x250; c++) {
      name.append(c);
    }
    name.append("😀");
    AnalystView view =
        new AnalystView(
            List.of(),
            List.of(),
            BigDecimal.ONE,
            BigDecimal.ZERO,
            "laplace",
            List.of(),
            false,
            List.of(new Note(Note.Code.LEFT_OUT, name.toString())),
            Optional.empty());
    String header = AnswerJson.notes(view);
    assertTrue(header.chars().allMatch(c -> c >= ' ' && c < 0x7f), header);
    assertEquals(name.toString(), new ObjectMapper().readTree(header).get(0).get("text").asText());
  }
}
