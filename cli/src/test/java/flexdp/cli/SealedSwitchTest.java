package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.DefaultCaseLabelTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.lang.model.type.DeclaredType;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A switch over a sealed type names all of its kinds, so that a new one does not slip through. */
class SealedSwitchTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private final List<String> faults = new ArrayList<>();
  private int switches;

  @Test
  void noSwitchOverASealedTypeHasADefault() throws IOException {
    look(sources());
    assertTrue(switches > 10, "switches over sealed types: " + switches);
    assertEquals(List.of(), faults);
  }

  @Test
  void aDefaultIsSeen(@TempDir Path folder) throws IOException {
    Path source = folder.resolve("Kind.java");
    Files.writeString(
        source,
        """
        sealed interface Kind {
          record One() implements Kind {}

          record Two() implements Kind {}

          static int number(Kind kind) {
            return switch (kind) {
              case One one -> 1;
              default -> 2;
            };
          }
        }
        """);
    look(List.of(source));
    assertEquals(1, faults.size(), faults::toString);
  }

  private void look(List<Path> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      // Only what has a default somewhere is looked at; the types it names are compiled already.
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  ignored -> {},
                  List.of("-proc:none", "-cp", System.getProperty("java.class.path")),
                  null,
                  files.getJavaFileObjectsFromPaths(sources));
      List<CompilationUnitTree> units = new ArrayList<>();
      task.parse().forEach(units::add);
      task.analyze();
      Trees trees = Trees.instance(task);
      units.forEach(unit -> look(unit, trees));
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String module : List.of("core", "gateway", "server", "cli", "experiments")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          if (Files.readString(file).contains("default")) {
            all.add(file);
          }
        }
      }
    }
    return all;
  }

  private void look(CompilationUnitTree unit, Trees trees) {
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitSwitch(SwitchTree tree, Void none) {
        cases(tree.getExpression(), tree.getCases());
        return super.visitSwitch(tree, none);
      }

      @Override
      public Void visitSwitchExpression(SwitchExpressionTree tree, Void none) {
        cases(tree.getExpression(), tree.getCases());
        return super.visitSwitchExpression(tree, none);
      }

      private void cases(ExpressionTree selector, List<? extends CaseTree> cases) {
        boolean sealed =
            trees.getTypeMirror(new TreePath(getCurrentPath(), selector)) instanceof DeclaredType d
                && d.asElement().getModifiers().contains(Modifier.SEALED);
        switches += sealed ? 1 : 0;
        for (CaseTree one : cases) {
          if (sealed && one.getLabels().stream().anyMatch(DefaultCaseLabelTree.class::isInstance)) {
            long line =
                unit.getLineMap()
                    .getLineNumber(trees.getSourcePositions().getStartPosition(unit, one));
            faults.add(Path.of(unit.getSourceFile().toUri()) + ":" + line);
          }
        }
      }
    }.scan(unit, null);
  }
}
