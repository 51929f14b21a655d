package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Failure;
import flexdp.gateway.demo.RideSharing;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in docs/embedding.md compiles against what is published, and answers. */
class EmbeddingDocumentTest {
  private static final Pattern PROGRAM = Pattern.compile("(?s)```java\n(.*?)```");
  private static final Pattern EXPORTED =
      Pattern.compile("(?m)^\\| `(flexdp[a-z.]*)` \\| ?(.*?) ?\\| ?(.*?) ?\\|$");
  private static final Pattern NAME = Pattern.compile("`([A-Z][\\w.]*)`");
  private static final Pattern OURS =
      Pattern.compile("\\bflexdp(?:\\.[a-z]\\w*)*\\.[A-Z][\\w$]*(?:\\.[a-z]\\w*)?");

  @TempDir Path folder;

  @Test
  void theProgramInTheDocumentRuns() throws Exception {
    Matcher program = PROGRAM.matcher(Files.readString(Path.of("../docs/embedding.md")));
    assertTrue(program.find());
    Path source = folder.resolve("Statuses.java");
    Files.writeString(source, program.group(1));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                said,
                said,
                "-proc:none",
                "-classpath",
                home(FlexDp.class) + java.io.File.pathSeparator + home(Failure.class),
                "-d",
                folder.toString(),
                source.toString());
    assertEquals(0, code, said.toString(StandardCharsets.UTF_8));
    String printed = run();
    assertTrue(
        printed.matches(
            "(?s)(\\w+: -?\\d+\\R)+would cost epsilon 0\\.5\\Rtrips: -?\\d+\\R"
                + "status is a varchar\\Rsince is a timestamp\\Rcompleted since: -?\\d+\\R"),
        printed);
  }

  /** From the entry on: what is mentioned is exported, and what is exported is mentioned. */
  @Test
  void whatIsExportedMentionsNothingThatIsNot() throws Exception {
    Set<String> exported = new TreeSet<>();
    Set<String> handedOn = new TreeSet<>();
    Matcher row = EXPORTED.matcher(Files.readString(Path.of("../docs/embedding.md")));
    while (row.find()) {
      NAME.matcher(row.group(2)).results().forEach(n -> exported.add(named(row, n)));
      NAME.matcher(row.group(3)).results().forEach(n -> handedOn.add(named(row, n)));
    }
    Set<String> left = new TreeSet<>(exported);
    left.addAll(handedOn);
    Set<String> leaks = new TreeSet<>();
    Set<Class<?>> seen = new HashSet<>(Set.of(FlexDp.class, Setup.class));
    Deque<Class<?>> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      Class<?> type = open.remove();
      Optional<String> listed = listed(type, exported);
      left.removeAll(List.of(listed.orElse(""), listed(type, handedOn).orElse("")));
      if (listed.isPresent()) {
        for (Class<?> used : mentioned(type)) {
          if (listed(used, exported).or(() -> listed(used, handedOn)).isEmpty()) {
            leaks.add(type.getName() + " mentions " + used.getName());
          } else if (seen.add(used)) {
            open.add(used);
          }
        }
      }
    }
    assertEquals(Set.of(), leaks);
    assertEquals(Set.of(), left, "nothing exported mentions these");
    assertTrue(exported.size() > 50);
  }

  private static String named(Matcher row, MatchResult name) {
    return row.group(1) + "." + name.group(1).replace('.', '$');
  }

  /** The entry of the table that a type is in, by itself or by what it stands in. */
  private static Optional<String> listed(Class<?> type, Set<String> table) {
    return Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getEnclosingClass)
        .map(Class::getName)
        .filter(table::contains)
        .findFirst();
  }

  /**
   * Our types in the public signatures of one, and the public ones that stand in it or extend it.
   */
  private static Set<Class<?>> mentioned(Class<?> type) throws Exception {
    Stream<String> members =
        Stream.<Executable>concat(
                Stream.of(type.getDeclaredConstructors()), Stream.of(type.getDeclaredMethods()))
            .filter(member -> Modifier.isPublic(member.getModifiers()) && !member.isSynthetic())
            .map(Executable::toGenericString);
    Stream<String> fields = Stream.of(type.getFields()).map(Field::toGenericString);
    Stream<String> above =
        Stream.concat(
                Stream.ofNullable(type.getGenericSuperclass()),
                Stream.of(type.getGenericInterfaces()))
            .map(Type::getTypeName);
    Stream<String> below =
        Stream.concat(
                Stream.of(type.getClasses()),
                Stream.ofNullable(type.getPermittedSubclasses()).flatMap(Arrays::stream))
            .map(Class::getName);
    Set<Class<?>> mentioned = new HashSet<>();
    for (String text : Stream.of(members, fields, above, below).flatMap(all -> all).toList()) {
      for (MatchResult name : OURS.matcher(text).results().toList()) {
        Class<?> used = loaded(name.group());
        if (Modifier.isPublic(used.getModifiers())) {
          mentioned.add(used);
        }
      }
    }
    return mentioned;
  }

  /** The type of a name that may end in that of a method. */
  private static Class<?> loaded(String name) throws ClassNotFoundException {
    int end = name.lastIndexOf('.');
    boolean method = Character.isLowerCase(name.charAt(end + 1));
    return Class.forName(method ? name.substring(0, end) : name);
  }

  private static Path home(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private String run() throws Exception {
    Path database = folder.resolve("rides.duckdb");
    new RideSharing(200, 7).create(database);
    Path policy = folder.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + database));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    URL[] classes = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader());
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      loader
          .loadClass("Statuses")
          .getMethod("print", Path.class, PrintStream.class)
          .invoke(null, policy, printed);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
