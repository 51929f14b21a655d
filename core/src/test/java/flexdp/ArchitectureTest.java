package flexdp;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The way data flows, as house rules: which stage may know which. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("flexdp");

  /** What each stage may use, beside itself and the failures. */
  private static final Map<String, Set<String>> ARROWS = new LinkedHashMap<>();

  static {
    ARROWS.put("failure", Set.of());
    ARROWS.put("document", Set.of());
    ARROWS.put("cache", Set.of());
    ARROWS.put("policy", Set.of("document"));
    ARROWS.put("metrics", Set.of("document", "policy", "hash"));
    ARROWS.put("algebra", Set.of("policy"));
    ARROWS.put("hash", Set.of("policy", "algebra"));
    ARROWS.put("sql.parse", Set.of("policy"));
    ARROWS.put("sql.function", Set.of("policy", "algebra", "hash"));
    ARROWS.put("sql.join", Set.of("policy", "algebra", "sql.function"));
    ARROWS.put("sql.anatomy", Set.of("policy", "sql.parse", "sql.function"));
    ARROWS.put("sql.rewrite", Set.of("sql.function"));
    ARROWS.put(
        "sql.bind",
        Set.of("policy", "algebra", "sql.parse", "sql.function", "sql.join", "sql.rewrite"));
    ARROWS.put("properties", Set.of("policy", "algebra"));
    ARROWS.put("compute", Set.of("policy", "algebra", "hash"));
    ARROWS.put("query", Set.of("policy", "algebra"));
    ARROWS.put("fingerprint", Set.of("policy", "algebra", "query"));
    ARROWS.put("ranges", Set.of("policy", "algebra", "query"));
    ARROWS.put(
        "decompose",
        Set.of("policy", "algebra", "properties", "compute", "query", "fingerprint", "ranges"));
    ARROWS.put("ownership", Set.of("policy", "algebra", "hash"));
    ARROWS.put("sensitivity", Set.of("policy", "algebra", "query", "metrics", "ownership"));
    ARROWS.put("smooth", Set.of("sensitivity"));
    ARROWS.put("cells", Set.of("policy", "algebra", "compute", "query"));
    ARROWS.put("noise", Set.of("cache"));
    ARROWS.put("workload", Set.of());
    ARROWS.put("people.clipping", Set.of("noise"));
    ARROWS.put("people.packing", Set.of("noise", "people.clipping"));
    ARROWS.put("budget", Set.of("policy"));
    ARROWS.put("partition", Set.of("policy", "algebra", "budget"));
    ARROWS.put(
        "plan",
        Set.of(
            "policy",
            "algebra",
            "properties",
            "hash",
            "query",
            "metrics",
            "ownership",
            "sensitivity",
            "smooth",
            "noise",
            "workload",
            "people.clipping",
            "people.packing"));
    ARROWS.put(
        "reuse",
        Set.of("policy", "algebra", "properties", "compute", "query", "fingerprint", "cells"));
    ARROWS.put(
        "marginals",
        Set.of(
            "policy",
            "algebra",
            "compute",
            "query",
            "fingerprint",
            "noise",
            "plan",
            "cells",
            "properties",
            "reuse",
            "people.clipping",
            "workload",
            "cache"));
    ARROWS.put(
        "release",
        Set.of(
            "policy",
            "algebra",
            "compute",
            "hash",
            "query",
            "cells",
            "noise",
            "people.clipping",
            "people.packing",
            "metrics",
            "plan",
            "marginals"));
    ARROWS.put(
        "forecast",
        Set.of(
            "policy",
            "algebra",
            "properties",
            "query",
            "metrics",
            "noise",
            "people.clipping",
            "plan",
            "cells",
            "release"));
  }

  @TestFactory
  Stream<DynamicTest> arrowsGoDownOnly() {
    return ARROWS.entrySet().stream()
        .map(
            arrow ->
                DynamicTest.dynamicTest(
                    arrow.getKey(),
                    () ->
                        noClasses()
                            .that()
                            .resideInAPackage("flexdp." + arrow.getKey())
                            .should()
                            .dependOnClassesThat(forbidden(arrow.getKey(), arrow.getValue()))
                            .allowEmptyShould(true)
                            .check(CLASSES)));
  }

  private static DescribedPredicate<JavaClass> forbidden(String stage, Set<String> allowed) {
    return new DescribedPredicate<>("stages other than " + allowed) {
      @Override
      public boolean test(JavaClass used) {
        String name = used.getPackageName();
        if (!name.equals("flexdp") && !name.startsWith("flexdp.")) {
          return false;
        }
        return !stage(used).equals(stage)
            && !stage(used).equals("failure")
            && !allowed.contains(stage(used));
      }
    };
  }

  /** The package without the root's name; empty for the root itself. */
  private static String stage(JavaClass c) {
    String name = c.getPackageName();
    return name.equals("flexdp") ? "" : name.substring("flexdp.".length());
  }

  @Test
  void everyStageIsInTheTable() {
    Set<String> known = ARROWS.keySet();
    noClasses()
        .should(
            new com.tngtech.archunit.lang.ArchCondition<>("be in a package without arrows") {
              @Override
              public void check(JavaClass c, com.tngtech.archunit.lang.ConditionEvents events) {
                String name = stage(c);
                boolean ok = name.isEmpty() || known.contains(name);
                events.add(
                    new com.tngtech.archunit.lang.SimpleConditionEvent(
                        c, !ok, name + " is not in the table"));
              }
            })
        .check(CLASSES);
  }

  @Test
  void onlyTheSqlStageKnowsTheParser() {
    noClasses()
        .that()
        .resideOutsideOfPackage("flexdp.sql..")
        .should()
        .dependOnClassesThat(resideInAPackage("org.apache.calcite.."))
        .check(CLASSES);
  }

  @Test
  void onlyTheNoiseStageTouchesRandomness() {
    noClasses()
        .that()
        .resideOutsideOfPackage("flexdp.noise..")
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "make random numbers",
                c ->
                    c.getName().equals("java.util.Random")
                        || c.getName().equals("java.security.SecureRandom")
                        || c.getName().equals("java.util.SplittableRandom")
                        || c.getName().equals("java.util.concurrent.ThreadLocalRandom")
                        || c.getPackageName().equals("java.util.random")))
        .check(CLASSES);
    noClasses().should().callMethod(Math.class, "random").check(CLASSES);
    noClasses().should().callMethod(java.util.UUID.class, "randomUUID").check(CLASSES);
  }

  @Test
  void theCoreHasNoDatabasesFilesNetworksOrLogs() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "java.sql..",
                    "javax.sql..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.net..",
                    "java.util.logging..",
                    "org.slf4j..")
                .or(
                    DescribedPredicate.describe(
                        "are files or streams",
                        c ->
                            c.getName().startsWith("java.io.File")
                                || c.getName().equals("java.io.RandomAccessFile")
                                || c.getName().equals("java.io.InputStream")
                                || c.getName().equals("java.io.OutputStream")
                                || c.getName().equals("java.io.PrintStream"))))
        .check(CLASSES);
  }

  @Test
  void theCoreHasNoClock() {
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "the clock",
                (JavaCall<?> call) -> {
                  String owner = call.getTargetOwner().getName();
                  String method = call.getName();
                  return owner.startsWith("java.time.") && method.equals("now")
                      || owner.equals("java.lang.System")
                          && List.of("currentTimeMillis", "nanoTime").contains(method);
                }))
        .check(CLASSES);
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(java.time.Clock.class)
        .check(CLASSES);
  }

  @Test
  void namesSayWhatAClassIs() {
    noClasses()
        .should()
        .haveSimpleNameEndingWith("Manager")
        .orShould()
        .haveSimpleNameEndingWith("Helper")
        .orShould()
        .haveSimpleNameEndingWith("Util")
        .orShould()
        .haveSimpleNameEndingWith("Utils")
        .orShould()
        .haveSimpleNameEndingWith("Impl")
        .check(CLASSES);
  }
}
