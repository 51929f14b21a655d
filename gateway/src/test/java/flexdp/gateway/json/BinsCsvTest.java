package flexdp.gateway.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.ConfigurationError;
import flexdp.query.Bins;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BinsCsvTest {
  @Test
  void anEmptyFieldIsNullAndAnEmptyTextIsQuoted() {
    Bins bins = BinsCsv.read("city,status\r\nOslo,\n\"New \"\"York\"\", NY\",\"\"\n");
    assertEquals(List.of("city", "status"), bins.columns());
    assertEquals(Arrays.asList("Oslo", null), bins.rows().get(0));
    assertEquals(List.of("New \"York\", NY", ""), bins.rows().get(1));
  }

  @Test
  void whatIsNoTableIsAnError() {
    for (String text : List.of("", "a,\n1,2", "a,b\n1", "a\n\"open", "a\n\"x\"y")) {
      assertThrows(ConfigurationError.class, () -> BinsCsv.read(text), text);
    }
  }
}
