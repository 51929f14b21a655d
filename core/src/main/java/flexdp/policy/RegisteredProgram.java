package flexdp.policy;

/**
 * A program that the owner lets analysts run over rows: a WebAssembly module, known by its bytes.
 *
 * @param digest the SHA-256 of the module, in 64 small hexadecimal digits
 * @param instructions how many a run may take; one that takes more says nothing
 * @param megabytes how much memory a run may have
 */
public record RegisteredProgram(String digest, long instructions, int megabytes) {
  public static final long USUAL_INSTRUCTIONS = 10_000_000;
  public static final int USUAL_MEGABYTES = 16;

  /** With the usual limits. */
  public static RegisteredProgram of(String digest) {
    return new RegisteredProgram(digest, USUAL_INSTRUCTIONS, USUAL_MEGABYTES);
  }
}
