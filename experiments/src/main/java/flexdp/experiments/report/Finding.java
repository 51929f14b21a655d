package flexdp.experiments.report;

/**
 * One figure of the paper beside ours.
 *
 * @param paper as published; "not given" where the paper is silent
 * @param why they differ; empty when they agree
 */
public record Finding(String what, String paper, String ours, String why) {}
