package flexdp.server.http;

/** Does what requests ask. */
public interface Handler {
  /**
   * @throws HttpRefusal when it is not done
   */
  Response handle(HttpRequest request);

  /** What a refusal looks like. */
  Response refused(HttpRefusal refusal);

  /** Learns of what nobody expected. */
  void failed(Throwable thrown);
}
