/** The exact maximum of a bound over distance vectors, damped by the distance. */
package flexdp.smooth;
