package flexdp.experiments.measure;

import flexdp.plan.MechanismChoice;
import flexdp.sensitivity.RuleSet;

/** How a question is answered: by whose rules and with which noise. */
public enum Way {
  /** The paper's rules and its β for one output, whatever the number of bins. */
  LETTER("paper, to the letter", RuleSet.PAPER, MechanismChoice.FLEX),
  /** The paper's rules with the β that its mechanism needs for so many bins. */
  REPAIRED("paper's rules, sound β", RuleSet.PAPER, MechanismChoice.FLEX),
  /** The paper's mechanism on our rules, calibrated exactly for the number of bins. */
  FLEX("flex on our rules", RuleSet.FLEXDP, MechanismChoice.FLEX),
  /** What an analyst gets who asks for nothing special. */
  DEFAULT("FlexDP's default", RuleSet.FLEXDP, MechanismChoice.AUTO);

  private final String title;
  private final RuleSet rules;
  private final MechanismChoice mechanism;

  Way(String title, RuleSet rules, MechanismChoice mechanism) {
    this.title = title;
    this.rules = rules;
    this.mechanism = mechanism;
  }

  public String title() {
    return title;
  }

  public RuleSet rules() {
    return rules;
  }

  public MechanismChoice mechanism() {
    return mechanism;
  }
}
