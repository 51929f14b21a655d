package flexdp.noise;

/** What a mechanism draws from: random bits, and distributions that were made before. */
record Draws(BitSource bits, Distributions distributions) {
  DiscreteLaplace laplace(Rational scale) {
    return distributions.laplace(scale);
  }
}
