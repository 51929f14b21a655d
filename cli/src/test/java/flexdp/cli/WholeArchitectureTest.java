package flexdp.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import flexdp.gateway.AnalystView;
import flexdp.gateway.Explanation;
import flexdp.gateway.Gateway;
import flexdp.gateway.ask.AnswerJson;
import flexdp.noise.BitSource;
import flexdp.noise.SecureBits;
import java.security.SecureRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** House rules over everything that ships: where noise comes from, and what analysts may see. */
class WholeArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("flexdp");

  @Test
  void noiseHasOneSource() {
    classes()
        .that()
        .areAssignableTo(BitSource.class)
        .and()
        .doNotBelongToAnyOf(BitSource.class)
        .should()
        .be(SecureBits.class)
        .check(CLASSES);
    // Logins have salts, nonces and keys of their own.
    noClasses()
        .that()
        .resideOutsideOfPackages("flexdp.noise..", "flexdp.server.login..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(SecureRandom.class)
        .check(CLASSES);
  }

  @Test
  void aGatewayThatReplaysNoiseIsOutOfReach() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(Gateway.class)
        .should()
        .callConstructorWhere(
            DescribedPredicate.describe(
                "a gateway with bits of its caller's choice",
                call ->
                    call.getTargetOwner().isEquivalentTo(Gateway.class)
                        && call.getTarget().getRawParameterTypes().stream()
                            .anyMatch(p -> p.isEquivalentTo(Supplier.class))))
        .check(CLASSES);
  }

  @Test
  void whatServesAnalystsHoldsNoMetrics() {
    noClasses()
        .that()
        .belongToAnyOf(AnalystView.class, Explanation.class, AnswerJson.class)
        .or()
        .resideInAPackage("flexdp.gateway.ask..")
        .or(whatServesTheWire())
        .should()
        .dependOnClassesThat()
        .resideInAPackage("flexdp.metrics..")
        .check(CLASSES);
  }

  /** Only the class that opens a policy's files sees what was measured, and hands it on. */
  private static DescribedPredicate<com.tngtech.archunit.core.domain.JavaClass>
      whatServesTheWire() {
    return DescribedPredicate.describe(
        "serve the wire",
        c ->
            c.getPackageName().startsWith("flexdp.server")
                && !c.getName().startsWith("flexdp.server.engine.GatewayEngine"));
  }
}
