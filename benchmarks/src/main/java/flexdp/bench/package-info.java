/**
 * Speed, measured side by side in one run. There are more than forty files, since each benchmark
 * has one or two of its own; they share how time is taken and how tables are written.
 */
package flexdp.bench;
