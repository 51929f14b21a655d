package flexdp.server.http;

/** Does what requests ask. */
public interface Handler {
  /**
   * @throws Refusal when it is not done
   */
  Response handle(HttpRequest request);

  /** What a refusal looks like. */
  Response refused(Refusal refusal);

  /** Learns of what nobody expected. */
  void failed(Throwable thrown);
}
