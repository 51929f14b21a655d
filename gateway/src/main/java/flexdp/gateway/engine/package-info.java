/**
 * The way of one question: bind, analyse, reserve, run release plans, settle, return; rows, people,
 * programs and workloads go that way with one charge and one kind of answer.
 */
package flexdp.gateway.engine;
