/**
 * What an answer will be like, foretold before anything is read: from the policy, the structure of
 * the question and released numbers, never from private ones. It promises nothing, and what is
 * asked is answered whatever it says.
 */
package flexdp.forecast;
