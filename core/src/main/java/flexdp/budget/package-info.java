/** How the costs of answers add up to one guarantee. Exact decimals; pure. */
package flexdp.budget;
