package flexdp.experiments.djoin;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * The squares modulo a safe prime: a group of prime order, so that an element tells nothing of its
 * key but by its exponent. (Numbers that are no squares would stay such under every power, and tell
 * how many keys are hashed to them; so would the two curves behind X25519's u-coordinate.)
 */
record Squares(BigInteger prime, int exponentBits) {
  private static final BigInteger GENERATOR = BigInteger.valueOf(4);

  /** The group of 2,048 bits of RFC 3526, with short exponents. */
  static final Squares STANDARD =
      new Squares(
          new BigInteger(
              "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A"
                  + "08798E3404DDEF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C"
                  + "42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC200"
                  + "7CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED5"
                  + "29077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3BE39E772C180E86039B27"
                  + "83A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA05101572"
                  + "8E5A8AACAA68FFFFFFFFFFFFFFFF",
              16),
          256);

  /** A key of a table as an element. */
  BigInteger hashed(String key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-512");
      byte[] wide = new byte[prime.bitLength() / 8 + 64];
      for (int at = 0, block = 0; at < wide.length; at += 64, block++) {
        digest.update((byte) block);
        byte[] part = digest.digest(key.getBytes(StandardCharsets.UTF_8));
        System.arraycopy(part, 0, wide, at, Math.min(part.length, wide.length - at));
      }
      BigInteger number = new BigInteger(1, wide).mod(prime);
      return number.multiply(number).mod(prime);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every platform has SHA-512", e);
    }
  }

  BigInteger exponent(SecureRandom random) {
    return new BigInteger(exponentBits, random).setBit(0);
  }

  BigInteger power(BigInteger element, BigInteger exponent) {
    return element.modPow(exponent, prime);
  }

  BigInteger power(BigInteger exponent) {
    return power(GENERATOR, exponent);
  }

  /** An element that nobody knows anything of. */
  BigInteger any(SecureRandom random) {
    return power(exponent(random));
  }

  /** Whether a number is one of the group. */
  boolean holds(BigInteger number) {
    BigInteger half = prime.subtract(BigInteger.ONE).shiftRight(1);
    return number.signum() > 0
        && number.compareTo(prime) < 0
        && number.modPow(half, prime).equals(BigInteger.ONE);
  }
}
