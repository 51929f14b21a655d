package flexdp.gateway.hostile;

import flexdp.gateway.MariaDbServer;
import flexdp.gateway.program.ProgramMachine;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Something mended, broken again: the sources with a few words changed, compiled and loaded beside
 * the ones that are whole.
 *
 * @param aims the attacks of which one at least has to succeed then
 */
public record Mutant(String name, List<Edit> edits, List<String> aims) {
  /**
   * One change.
   *
   * @param type whose source it is, in whichever package
   * @param text what stands there once, at least up to names; see {@link Place}
   */
  public record Edit(String type, String text, String replacement) {}

  private static final Map<Path, String> SOURCES = new HashMap<>();

  public static Mutant of(
      String name, String type, String text, String replacement, String... aims) {
    return new Mutant(name, List.of(new Edit(type, text, replacement)), List.of(aims));
  }

  /** Where all of it is today. */
  public void find() throws IOException {
    edited(sources());
  }

  /** The sources that are changed. */
  private Map<Path, String> edited(Map<Path, String> sources) {
    Map<Path, String> edited = new LinkedHashMap<>();
    for (Edit edit : edits) {
      Place place =
          Place.of(edit, sources)
              .orElseThrow(
                  () ->
                      new AssertionError(
                          "stale mutant %s: not once in %s: %s"
                              .formatted(name, edit.type(), edit.text())));
      String changed = sources.get(place.file()).replace(place.text(), place.replacement());
      sources.put(place.file(), changed);
      edited.put(place.file(), changed);
    }
    return edited;
  }

  /** Compiles what is changed into a folder. */
  public void compile(Path folder) throws IOException {
    List<Path> changed = new ArrayList<>();
    for (Map.Entry<Path, String> file : edited(sources()).entrySet()) {
      Path copy = folder.resolve("src").resolve(file.getKey().getFileName());
      Files.createDirectories(copy.getParent());
      changed.add(Files.writeString(copy, file.getValue()));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Path classes = Files.createDirectories(folder.resolve("classes"));
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      java.io.StringWriter words = new java.io.StringWriter();
      List<String> options =
          List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath());
      boolean done =
          compiler
              .getTask(
                  words, files, null, options, null, files.getJavaFileObjectsFromPaths(changed))
              .call();
      if (!done) {
        throw new AssertionError("mutant " + name + " does not compile: " + words);
      }
    }
  }

  private static synchronized Map<Path, String> sources() throws IOException {
    if (SOURCES.isEmpty()) {
      SOURCES.putAll(read());
    }
    return new HashMap<>(SOURCES);
  }

  private static Map<Path, String> read() throws IOException {
    Map<Path, String> sources = new HashMap<>();
    for (String module : List.of("core", "gateway")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          sources.put(file, Files.readString(file));
        }
      }
    }
    return sources;
  }

  /** What tests are run with, whoever runs them. */
  private static String classPath() {
    List<URL> urls = new ArrayList<>(ours(Mutant.class));
    if (Mutant.class.getClassLoader() instanceof URLClassLoader loader) {
      urls.addAll(List.of(loader.getURLs()));
    }
    return urls.stream().map(URL::getPath).collect(Collectors.joining(File.pathSeparator))
        + File.pathSeparator
        + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Where the project's own classes come from, what runs programs among them if it is there. */
  private static List<URL> ours(Class<?> test) {
    Stream<Class<?>> machines =
        ServiceLoader.load(ProgramMachine.class, Mutant.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::type);
    return Stream.concat(
            Stream.of(flexdp.Analyzer.class, flexdp.gateway.FlexDp.class, Mutant.class, test),
            machines)
        .map(c -> c.getProtectionDomain().getCodeSource().getLocation())
        .toList();
  }

  /**
   * Loads the project anew, with what was compiled before the rest.
   *
   * @param test stands with the attacks
   */
  public static ClassLoader loader(Path folder, Class<?> test) throws IOException {
    List<URL> urls = new ArrayList<>(List.of(folder.resolve("classes").toUri().toURL()));
    urls.addAll(ours(test));
    return new URLClassLoader(urls.toArray(URL[]::new), Mutant.class.getClassLoader()) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
          Class<?> known = findLoadedClass(name);
          // One server is enough for all of them.
          boolean shared =
              name.startsWith(MariaDbServer.class.getName()) || name.startsWith("flexdp.trino.");
          if (known == null && name.startsWith("flexdp.") && !shared) {
            known = findClass(name);
          }
          return known != null ? known : super.loadClass(name, resolve);
        }
      }
    };
  }
}
