package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * docs/options.md is written from the help of the commands: every option with its value, default
 * and meaning. With {@code -Dflexdp.golden.write=true} it is written anew.
 */
class OptionsDocumentTest {
  private static final Path PAGE = Path.of("../docs/options.md");
  private static final Pattern DEFAULT = Pattern.compile(" ?\\(default: ([^)]*)\\)");
  private static final Pattern FIRST = Pattern.compile("\\b(\\S+) \\(default\\)");

  private final Map<String, List<OptionSpec>> commands = new TreeMap<>();

  @Test
  void thePageIsWhatTheCommandsSay() throws IOException {
    gather("", FlexdpCommand.all());
    assertTrue(commands.size() > 25, commands.keySet().toString());
    String page = Files.readString(PAGE);
    int begin = page.indexOf("\n## Options of several commands");
    String written = page.substring(0, begin + 1) + tables();
    if (Boolean.getBoolean("flexdp.golden.write")) {
      Files.writeString(PAGE, written);
      return;
    }
    assertEquals(written, page);
  }

  private void gather(String name, CommandLine command) {
    List<OptionSpec> own =
        command.getCommandSpec().options().stream()
            .filter(o -> !o.hidden() && !o.usageHelp() && !o.versionHelp())
            .toList();
    if (!own.isEmpty()) {
      commands.put(name, own);
    }
    command
        .getSubcommands()
        .forEach(
            (word, sub) -> {
              if (sub.getCommandName().equals(word) && !word.equals("help")) {
                gather((name + " " + word).strip(), sub);
              }
            });
  }

  private String tables() {
    Map<String, String> rows = new LinkedHashMap<>();
    Map<String, List<String>> users = new TreeMap<>();
    commands.forEach(
        (command, options) ->
            options.forEach(
                o -> {
                  rows.put(row(o), o.longestName());
                  users.computeIfAbsent(row(o), r -> new java.util.ArrayList<>()).add(command);
                }));
    StringBuilder text = new StringBuilder("## Options of several commands\n\n");
    text.append("| option | default | meaning | commands |\n|---|---|---|---|\n");
    users.entrySet().stream()
        .filter(e -> e.getValue().size() > 1)
        .forEach(
            e -> text.append(e.getKey()).append(' ').append(names(e.getValue())).append(" |\n"));
    commands.forEach(
        (command, options) -> {
          String own =
              options.stream()
                  .map(this::row)
                  .filter(r -> users.get(r).size() == 1)
                  .collect(Collectors.joining("\n"));
          if (!own.isEmpty()) {
            text.append("\n## flexdp ").append(command).append("\n\n");
            text.append("| option | default | meaning |\n|---|---|---|\n").append(own).append('\n');
          }
        });
    return text.toString();
  }

  private static String names(List<String> commands) {
    return commands.stream().map(c -> "`" + c + "`").collect(Collectors.joining(", "));
  }

  private String row(OptionSpec option) {
    String meaning =
        String.join(" ", option.description())
            .replace("%%", "%")
            .replace("${DEFAULT-VALUE}", String.valueOf(option.initialValue()))
            .replace("|", "\\|");
    if (meaning.contains("${COMPLETION-CANDIDATES}")) {
      StringBuilder words = new StringBuilder();
      option
          .completionCandidates()
          .forEach(w -> words.append(words.isEmpty() ? "" : ", ").append(w));
      meaning = meaning.replace("${COMPLETION-CANDIDATES}", words);
    }
    String usual = option.arity().max() == 0 ? "off" : "";
    if (option.defaultValue() != null) {
      usual = option.defaultValue();
    }
    Matcher named = DEFAULT.matcher(meaning);
    Matcher first = FIRST.matcher(meaning);
    if (named.find()) {
      usual = named.group(1);
      meaning = named.replaceFirst("");
    } else if (first.find()) {
      usual = first.group(1);
      meaning = first.replaceFirst(first.group(1));
    } else if (option.required()) {
      usual = "required";
    }
    boolean takesNothing = option.arity().max() == 0 || option.paramLabel().isEmpty();
    String value = takesNothing ? "" : " " + option.paramLabel().replaceAll("[<>]", "");
    String cell =
        "`"
            + option.longestName()
            + value.replace("|", "\\|").toUpperCase(java.util.Locale.ROOT)
            + "`";
    return "| " + cell + " | " + usual + " | " + meaning.strip() + " |";
  }
}
