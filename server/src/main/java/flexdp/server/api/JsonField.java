package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A value that a request may carry; the document of the API and the check of requests are both made
 * of it.
 */
record JsonField(String name, Kind kind, boolean required, String about) {
  /** What a value is. */
  enum Kind {
    TEXT("string"),
    NUMBER("number"),
    INTEGER("integer"),
    BOOLEAN("boolean"),
    OBJECT("object"),
    LIST("array"),
    ANY("");

    private final String type;

    Kind(String type) {
      this.type = type;
    }
  }

  static JsonField required(String name, Kind kind, String about) {
    return new JsonField(name, kind, true, about);
  }

  static JsonField optional(String name, Kind kind, String about) {
    return new JsonField(name, kind, false, about);
  }

  /** Its schema, as OpenAPI writes it. */
  void schema(ObjectNode node) {
    if (!kind.type.isEmpty()) {
      node.put("type", kind.type);
    }
    if (kind == Kind.LIST) {
      node.putObject("items");
    }
    node.put("description", about);
  }
}
