/**
 * DJoin's join of two parties: how many keys both have, privately, without a party that sees both
 * sides. An experiment: what it assumes is printed with its figures.
 */
package flexdp.experiments.djoin;
