package flexdp.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import flexdp.AnalysisOptions;
import flexdp.cells.ExactHistogram;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.json.AnswerJson;
import flexdp.gateway.verify.ExactResults;
import flexdp.marginals.CuboidCells;
import flexdp.noise.BitSource;
import flexdp.noise.SecureBits;
import flexdp.release.ReleasePlan;
import flexdp.sensitivity.RuleSet;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    // Experiments on made-up data are repeatable, and play both parties of a protocol.
    classes()
        .that()
        .areAssignableTo(BitSource.class)
        .and()
        .doNotBelongToAnyOf(BitSource.class)
        .and()
        .resideOutsideOfPackage("flexdp.experiments..")
        .should()
        .be(SecureBits.class)
        .check(CLASSES);
    // Logins have salts, nonces and keys of their own.
    noClasses()
        .that()
        .resideOutsideOfPackages("flexdp.noise..", "flexdp.server.login..", "flexdp.experiments..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(SecureRandom.class)
        .check(CLASSES);
  }

  @Test
  void aGatewayThatReplaysNoiseIsOutOfReach() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(QueryEngine.class)
        .should()
        .callConstructorWhere(
            DescribedPredicate.describe(
                "a gateway with bits of its caller's choice",
                call ->
                    call.getTargetOwner().isEquivalentTo(QueryEngine.class)
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
        .resideInAPackage("flexdp.gateway.api..")
        .or()
        .resideInAPackage("flexdp.server..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("flexdp.metrics..")
        .check(CLASSES);
  }

  /** What is exact is for made-up data only. */
  @Test
  void onlyVerificationSeesWhatHasNoNoise() {
    noClasses()
        .that()
        .resideOutsideOfPackages("flexdp.gateway.verify..", "flexdp.release..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(ExactResults.class)
        .orShould()
        .callMethodWhere(
            DescribedPredicate.describe(
                "how far exact values are apart",
                call ->
                    List.of("apart", "distance", "shownOtherwise").contains(call.getName())
                        && (call.getTargetOwner().isAssignableTo(ReleasePlan.class)
                            || call.getTargetOwner().isEquivalentTo(ExactHistogram.class)
                            || call.getTargetOwner().isEquivalentTo(CuboidCells.class))))
        .check(CLASSES);
  }

  @Test
  void theServerDoesNotAskWhatWasMeasured() {
    noClasses()
        .that()
        .resideInAPackage("flexdp.server..")
        .should()
        .callMethod(FlexDp.class, "metrics")
        .check(CLASSES);
  }

  /** The paper's bounds are not private: no type that reaches a gateway can name its rules. */
  @Test
  void whoeverAsksCannotChooseThePapersRules() {
    Set<Class<?>> reached = new HashSet<>();
    for (Method method : QueryEngine.class.getMethods()) {
      for (Class<?> type : method.getParameterTypes()) {
        reach(type, reached);
      }
    }
    assertTrue(reached.contains(QueryRequest.class) && reached.contains(QueryOptions.class));
    assertFalse(reached.contains(RuleSet.class) || reached.contains(AnalysisOptions.class));
    assertEquals(RuleSet.FLEXDP, QueryOptions.DEFAULT.analysis().rules());
    noClasses()
        .that()
        .resideInAnyPackage("flexdp.gateway", "flexdp.gateway.api..", "flexdp.gateway.livedata..")
        .or()
        .resideInAPackage("flexdp.server..")
        .should()
        .accessField(RuleSet.class, "PAPER")
        .orShould()
        .callMethod(RuleSet.class, "valueOf", String.class)
        .orShould()
        .callMethod(RuleSet.class, "values")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage("flexdp.gateway", "flexdp.gateway.api..", "flexdp.server..")
        .and()
        .doNotBelongToAnyOf(QueryOptions.class)
        .should()
        .callConstructorWhere(
            DescribedPredicate.describe(
                "options of an analysis",
                call -> call.getTargetOwner().isEquivalentTo(AnalysisOptions.class)))
        .check(CLASSES);
  }

  /** A type and those of everything that it is made of. */
  private static void reach(Class<?> type, Set<Class<?>> reached) {
    if (!type.getName().startsWith("flexdp.") || !reached.add(type)) {
      return;
    }
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        reach(field.getType(), reached);
        if (field.getGenericType() instanceof ParameterizedType generic) {
          for (Type argument : generic.getActualTypeArguments()) {
            if (argument instanceof Class<?> inner) {
              reach(inner, reached);
            }
          }
        }
      }
    }
  }
}
