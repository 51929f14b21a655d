package flexdp.experiments.report;

import java.util.List;

/**
 * One part of a report.
 *
 * @param name a word for files and links
 * @param findings the paper's figures beside ours, and why they differ
 * @param blocks what shows it
 */
public record Section(String name, String title, List<Finding> findings, List<Passage> blocks) {
  public Section {
    findings = List.copyOf(findings);
    blocks = List.copyOf(blocks);
  }
}
