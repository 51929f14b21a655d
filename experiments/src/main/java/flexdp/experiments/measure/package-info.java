/** What the experiments share: ways to answer a question, the law of its noise, medians. */
package flexdp.experiments.measure;
