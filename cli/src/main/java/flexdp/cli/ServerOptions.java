package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.TextFiles;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Asking a server instead of opening the policy oneself. */
final class ServerOptions {
  @Option(
      names = "--server",
      paramLabel = "URL",
      description = {
        "Ask a running \"flexdp serve\", as https://HOST:8433, instead of opening files."
            + " FLEXDP_TOKEN, or FLEXDP_USER and FLEXDP_PASSWORD, in the environment say who asks;",
        "--database then names the policy there."
      })
  URI server;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "A file that holds a token, in place of FLEXDP_TOKEN.")
  Path tokenFile;

  @Option(
      names = "--server-cert",
      paramLabel = "FILE",
      description = "A certificate (PEM) to trust, where the server has made its own.")
  Path certificate;

  boolean isGiven() {
    return server != null;
  }

  RemoteServer open() {
    Optional<String> token =
        tokenFile != null
            ? Optional.of(TextFiles.read(tokenFile, Code.BAD_USAGE).strip())
            : variable("FLEXDP_TOKEN");
    RemoteServer remote = RemoteServer.at(server, Optional.ofNullable(certificate));
    if (token.isPresent()) {
      return remote.with(token.get());
    }
    return remote.signedIn(
        variable("FLEXDP_USER").orElseThrow(ServerOptions::nobody),
        variable("FLEXDP_PASSWORD").orElseThrow(ServerOptions::nobody));
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(v -> !v.isBlank());
  }

  private static ConfigurationError nobody() {
    return ConfigurationError.of(
        Code.BAD_USAGE,
        "the server has to know who asks",
        "Set FLEXDP_TOKEN (from: flexdp token create NAME PURPOSE), or FLEXDP_USER and"
            + " FLEXDP_PASSWORD; or give --token-file.");
  }
}
