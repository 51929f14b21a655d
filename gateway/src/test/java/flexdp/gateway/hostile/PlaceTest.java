package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A mutant follows its code when names, lines and files change, and never goes astray. */
class PlaceTest {
  private static final Mutant.Edit EDIT =
      new Mutant.Edit(
          "Conversions",
          "case BIGINT, DECIMAL -> holdsAll(from, to);",
          "case BIGINT, DECIMAL -> to == null || holdsAll(from, to);");

  private static Optional<String> edited(Mutant.Edit edit, String file, String source) {
    return Place.of(edit, Map.of(Path.of("p", file), source))
        .map(place -> source.replace(place.text(), place.replacement()));
  }

  @Test
  void whatStandsThereAsWrittenIsReplaced() {
    assertEquals(
        Optional.of("{ " + EDIT.replacement() + " }"),
        edited(EDIT, "Conversions.java", "{ " + EDIT.text() + " }"));
  }

  @Test
  void otherLinesAndCommentsDoNotMatter() {
    assertEquals(
        Optional.of("{ " + EDIT.replacement() + " }"),
        edited(
            EDIT,
            "Conversions.java",
            "{ case BIGINT, DECIMAL /* exact */ ->\n      holdsAll(from,\n          to); }"));
  }

  @Test
  void renamedMethodsVariablesAndFilesAreFollowed() {
    String other = "case DATE, TIMESTAMP -> shows(from, to);";
    assertEquals(
        Optional.of("{ case BIGINT, DECIMAL -> target == null || covers(from, target); " + other),
        edited(
            EDIT,
            "CastFunctions.java",
            "{ case BIGINT, DECIMAL -> covers(from, target); " + other));
  }

  @Test
  void twoPlacesAreNone() {
    assertEquals(
        Optional.empty(), edited(EDIT, "Conversions.java", EDIT.text() + " " + EDIT.text()));
    assertEquals(
        Optional.empty(),
        edited(
            EDIT,
            "Conversions.java",
            "case BIGINT, DECIMAL -> one(from, to); case BIGINT, DECIMAL -> two(from, to);"));
  }

  @Test
  void whatHasOnlyTheShapeIsNotMeant() {
    assertEquals(
        Optional.empty(), edited(EDIT, "Conversions.java", "case A, B -> f(x, y);"), "all renamed");
    assertEquals(
        Optional.empty(),
        edited(EDIT, "Conversions.java", "case BIGINT, DECIMAL -> holdsAll(from, from);"),
        "two names for one");
    assertEquals(
        Optional.empty(),
        edited(EDIT, "Conversions.java", "case BIGINT, DECIMAL -> !holdsAll(from, to);"),
        "another sign");
  }
}
