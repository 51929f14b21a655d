/**
 * The way of one question: bind, analyse, reserve, execute, add noise, settle, return. More than
 * 4,500 lines, as rows, people and workloads go that way with one charge and one kind of answer.
 */
package flexdp.gateway.answer;
