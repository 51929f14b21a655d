package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Which room of the gateway and of the server may know which; those of the core are in its own
 * test. Rooms are in the order in which they stand on each other.
 */
class ArrowsArchitectureTest {
  private static final String ROOT = "";
  private static final List<String> DATABASES =
      List.of("duckdb", "postgresql", "mariadb", "sqlite", "trino");

  private static final Map<String, Map<String, Set<String>>> MODULES = new LinkedHashMap<>();

  static {
    Map<String, Set<String>> gateway = new LinkedHashMap<>();
    gateway.put("pause", Set.of());
    gateway.put("files", Set.of());
    gateway.put("demo", Set.of());
    gateway.put("render", Set.of());
    gateway.put("catalog", Set.of("render"));
    DATABASES.forEach(one -> gateway.put(one, Set.of("render", "catalog")));
    // The one room that knows all databases.
    Set<String> all = new HashSet<>(DATABASES);
    all.addAll(Set.of("pause", "render", "catalog"));
    gateway.put("database", all);
    gateway.put("ledger", Set.of("pause", "files", "catalog"));
    gateway.put("collect", Set.of("files", "render", "catalog", "database", "ledger"));
    gateway.put("livedata", Set.of("catalog", "database", "collect"));
    gateway.put("policydraft", Set.of("catalog", "collect"));
    gateway.put("api", Set.of());
    gateway.put("prepare", Set.of("render", "catalog", "database", "ledger", "collect", "api"));
    gateway.put("program", Set.of("render", "database", "api", "prepare"));
    gateway.put(
        "cache", Set.of("catalog", "database", "ledger", "collect", "livedata", "api", "prepare"));
    gateway.put(
        "engine",
        Set.of(
            "render",
            "catalog",
            "database",
            "ledger",
            "livedata",
            "api",
            "prepare",
            "program",
            "cache"));
    gateway.put("watch", Set.of("database", "ledger", "livedata", "api", "prepare", "engine"));
    gateway.put(
        "verify", Set.of("render", "catalog", "database", "collect", "api", "prepare", "engine"));
    gateway.put("json", Set.of("files", "api", "ledger"));
    gateway.put(
        ROOT,
        Set.of(
            "pause",
            "files",
            "database",
            "ledger",
            "collect",
            "livedata",
            "api",
            "engine",
            "watch",
            "json"));
    MODULES.put("flexdp.gateway", gateway);

    Map<String, Set<String>> server = new LinkedHashMap<>();
    server.put("audit", Set.of());
    server.put("engine", Set.of());
    server.put("login", Set.of());
    server.put("wire", Set.of());
    server.put("types", Set.of("wire"));
    server.put("sql", Set.of("types"));
    server.put("session", Set.of("engine", "login", "wire", "types", "sql"));
    server.put("pgcatalog", Set.of("types", "sql", "session"));
    server.put("connection", Set.of("audit", "engine", "login", "wire", "types", "sql", "session"));
    server.put("http", Set.of());
    server.put("api", Set.of("audit", "engine", "login", "session", "connection", "http"));
    server.put(
        ROOT,
        Set.of(
            "audit",
            "engine",
            "login",
            "sql",
            "session",
            "pgcatalog",
            "connection",
            "http",
            "api"));
    MODULES.put("flexdp.server", server);
  }

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("flexdp");

  /** The room of a class; its inner packages belong to it. */
  private static String room(String module, JavaClass type) {
    String rest = type.getPackageName().substring(module.length());
    return rest.isEmpty() ? ROOT : rest.substring(1).split("\\.")[0];
  }

  private static boolean isIn(String module, JavaClass type) {
    return type.getPackageName().equals(module) || type.getPackageName().startsWith(module + ".");
  }

  @TestFactory
  Stream<DynamicTest> arrowsGoDownOnly() {
    return MODULES.entrySet().stream()
        .flatMap(
            module ->
                module.getValue().entrySet().stream()
                    .map(
                        room ->
                            DynamicTest.dynamicTest(
                                module.getKey() + "." + room.getKey(),
                                () ->
                                    assertEquals(
                                        Set.of(),
                                        upwards(
                                            module.getKey(), room.getKey(), room.getValue())))));
  }

  private static Set<String> upwards(String module, String room, Set<String> allowed) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : ALL) {
      if (!isIn(module, type) || !room(module, type).equals(room)) {
        continue;
      }
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass used = dependency.getTargetClass();
        if (isIn(module, used)
            && !room(module, used).equals(room)
            && !allowed.contains(room(module, used))) {
          found.add(type.getSimpleName() + " uses " + used.getName());
        }
      }
    }
    return found;
  }

  @Test
  void everyRoomIsInTheTableAndStandsOnWhatComesBeforeIt() {
    MODULES.forEach(
        (module, rooms) -> {
          Set<String> there = new TreeSet<>();
          ALL.stream().filter(c -> isIn(module, c)).forEach(c -> there.add(room(module, c)));
          assertEquals(new TreeSet<>(rooms.keySet()), there, module);
          Set<String> below = new HashSet<>();
          rooms.forEach(
              (room, allowed) -> {
                assertTrue(below.containsAll(allowed), module + "." + room);
                below.add(room);
              });
        });
  }

  @Test
  void theCoreDoesNotKnowTheGatewayNorTheGatewayTheServer() {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : ALL) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        int from = floor(type);
        int to = floor(dependency.getTargetClass());
        if (from < to) {
          found.add(type.getName() + " uses " + dependency.getTargetClass().getName());
        }
      }
    }
    assertEquals(Set.of(), found);
  }

  /** What runs programs is found on the class path; nobody knows it. */
  @Test
  void nobodyKnowsTheMachineOfProgramsNorItTheGatewaysOtherRooms() {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : ALL) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass used = dependency.getTargetClass();
        boolean machine = isIn("flexdp.wasm", type);
        if (!machine && (isIn("flexdp.wasm", used) || isIn("com.dylibso.chicory", used))
            || machine && isIn("flexdp.gateway", used) && !isIn("flexdp.gateway.program", used)) {
          found.add(type.getName() + " uses " + used.getName());
        }
      }
    }
    assertEquals(Set.of(), found);
    assertTrue(ALL.stream().anyMatch(type -> isIn("flexdp.wasm", type)));
  }

  /** Moments are read in UTC, so the clock is: one that says the place's time counts the past. */
  @Test
  void nobodyAsksForTheTimeOfThePlace() {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : ALL) {
      type.getMethodCallsFromSelf().stream()
          .map(call -> call.getTarget())
          .filter(
              called ->
                  called.getName().equals("systemDefaultZone")
                      || called.getFullName().equals("java.time.ZoneId.systemDefault()")
                      || called.getFullName().equals("java.time.LocalDateTime.now()"))
          .forEach(called -> found.add(type.getName() + " calls " + called.getFullName()));
    }
    assertEquals(Set.of(), found);
  }

  private static int floor(JavaClass type) {
    if (isIn("flexdp.cli", type)) {
      return 3;
    }
    if (isIn("flexdp.server", type)
        || isIn("flexdp.experiments", type)
        || isIn("flexdp.wasm", type)) {
      return 2;
    }
    return isIn("flexdp.gateway", type) ? 1 : 0;
  }
}
