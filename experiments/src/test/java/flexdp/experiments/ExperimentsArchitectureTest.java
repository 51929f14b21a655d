package flexdp.experiments;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What the experiments may know. */
class ExperimentsArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("flexdp.experiments");

  @Test
  void reportsKnowNothingOfWhatTheyReport() {
    noClasses()
        .that()
        .resideInAPackage("flexdp.experiments.report..")
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages("flexdp.experiments.report..", "java..")
        .check(CLASSES);
  }

  @Test
  void theParserStaysInTheCore() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.calcite..")
        .check(CLASSES);
  }

  @Test
  void namesSayWhatAClassIs() {
    for (String ending : new String[] {"Manager", "Helper", "Util", "Utils", "Impl"}) {
      noClasses().should().haveSimpleNameEndingWith(ending).check(CLASSES);
    }
  }
}
