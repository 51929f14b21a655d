/** The way of one question: bind, analyse, reserve, execute, add noise, settle, return. */
package flexdp.gateway.answer;
