/**
 * A ride-sharing company to try things on: invented, skewed like a real one, the same each time.
 */
package flexdp.gateway.demo;
