package flexdp.gateway.files;

import flexdp.failure.ConfigurationError;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/** YAML 1.2, read strictly: numbers are exact, duplicate keys and aliases are errors. */
public final class YamlText {
  private static final int LONGEST = 16_000_000;

  private YamlText() {}

  /** The tree of one document. */
  public static Object tree(String text, ConfigurationError.Code code) {
    LoadSettings settings =
        LoadSettings.builder()
            .setAllowDuplicateKeys(false)
            .setAllowRecursiveKeys(false)
            .setMaxAliasesForCollections(0)
            .setCodePointLimit(LONGEST)
            .setSchema(new ExactNumbers())
            .build();
    try {
      Object tree = new Load(settings).loadFromString(text);
      if (tree == null) {
        throw ConfigurationError.of(code, "the YAML text is empty");
      }
      return tree;
    } catch (MarkedYamlEngineException e) {
      String where =
          e.getProblemMark()
              .map(m -> " at line " + (m.getLine() + 1) + ", column " + (m.getColumn() + 1))
              .orElse("");
      throw ConfigurationError.of(
          code, "malformed YAML" + where + ": " + shortened(e.getProblem()));
    } catch (YamlEngineException e) {
      throw ConfigurationError.of(code, "malformed YAML: " + shortened(e.getMessage()));
    } catch (StackOverflowError e) {
      throw ConfigurationError.of(code, "malformed YAML: it is nested too deeply");
    }
  }

  private static String shortened(String message) {
    String line = message.lines().findFirst().orElse("");
    return line.length() <= 200 ? line : line.substring(0, 197) + "...";
  }

  /** The core schema, but 0.1 is one tenth and not the nearest double. */
  private static final class ExactNumbers implements Schema {
    private final Schema core = new CoreSchema();

    @Override
    public ScalarResolver getScalarResolver() {
      return core.getScalarResolver();
    }

    @Override
    public Map<Tag, ConstructNode> getSchemaTagConstructors() {
      Map<Tag, ConstructNode> constructors = new HashMap<>(core.getSchemaTagConstructors());
      ConstructNode inexact = constructors.get(Tag.FLOAT);
      constructors.put(
          Tag.FLOAT,
          node -> exact(node).map(d -> (Object) d).orElseGet(() -> inexact.construct(node)));
      return constructors;
    }

    private static Optional<BigDecimal> exact(Node node) {
      String text = ((ScalarNode) node).getValue();
      try {
        return text.length() > 1000 ? Optional.empty() : Optional.of(new BigDecimal(text));
      } catch (NumberFormatException e) {
        return Optional.empty(); // .nan and .inf, which the reader of the tree refuses
      }
    }
  }
}
