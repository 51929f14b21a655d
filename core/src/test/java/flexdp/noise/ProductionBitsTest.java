package flexdp.noise;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ProductionBitsTest {
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("flexdp");

  /** BitSource is a class, so this list of subclasses misses no lambda. */
  @Test
  void secureBitsIsTheOnlySourceInProduction() {
    classes()
        .that()
        .areAssignableTo(BitSource.class)
        .should()
        .haveFullyQualifiedName(BitSource.class.getName())
        .orShould()
        .haveFullyQualifiedName(SecureBits.class.getName())
        .check(PRODUCTION);
    assertTrue(Modifier.isAbstract(BitSource.class.getModifiers()));
    assertTrue(Modifier.isFinal(SecureBits.class.getModifiers()));
  }

  @Test
  void noOtherRandomnessIsUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(
            java.util.Random.class,
            java.util.SplittableRandom.class,
            java.util.concurrent.ThreadLocalRandom.class)
        .check(PRODUCTION);
    noClasses()
        .that()
        .resideOutsideOfPackage("flexdp.noise")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(java.security.SecureRandom.class)
        .check(PRODUCTION);
  }

  @Test
  void secureBitsAreFairDifferentEachTimeAndWiped() throws ReflectiveOperationException {
    SecureBits bits = new SecureBits();
    long ones = 0;
    int n = 40_000;
    for (int i = 0; i < n; i++) {
      ones += Long.bitCount(bits.bits(64));
    }
    Fit.assertProportion(0.5, ones, 64L * n, 1e-12);
    assertNotEquals(new SecureBits().bits(64), new SecureBits().bits(64));
    var buffer = SecureBits.class.getDeclaredField("buffer");
    var at = SecureBits.class.getDeclaredField("at");
    buffer.setAccessible(true);
    at.setAccessible(true);
    byte[] used = Arrays.copyOf((byte[]) buffer.get(bits), at.getInt(bits));
    assertTrue(used.length > 0);
    for (byte b : used) {
      assertEquals(0, b);
    }
  }

  @Test
  void bitsOfAnyCountUseEveryBitOnce() {
    SeededBits words = new SeededBits(1);
    SeededBits pieces = new SeededBits(1);
    long whole = 0;
    long total = 0;
    for (int i = 0; i < 640; i++) {
      whole += Long.bitCount(words.bits(64));
    }
    int drawn = 0;
    for (int count = 0; drawn + count <= 64 * 640; count = (count + 7) % 65) {
      total += Long.bitCount(pieces.bits(count));
      drawn += count;
    }
    total += Long.bitCount(pieces.bits(Math.min(64, 64 * 640 - drawn)));
    assertEquals(whole, total);
    assertThrows(IllegalArgumentException.class, () -> words.bits(65));
  }
}
