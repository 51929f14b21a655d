package flexdp.gateway.program;

import flexdp.gateway.ask.Ask;
import flexdp.plan.Plan;

/**
 * A program that is ready to be charged and run.
 *
 * @param ask with the words of the program as its text
 * @param reading how its numbers come about
 */
public record PlannedProgram(Ask ask, Plan plan, ProgramReading reading) {}
