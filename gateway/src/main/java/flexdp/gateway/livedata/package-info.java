/** Keeps the metrics that a bound rests on those of the data that the question reads. */
package flexdp.gateway.livedata;
