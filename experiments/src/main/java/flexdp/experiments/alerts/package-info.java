/** Alerts by sparse vector against asking each question by itself. */
package flexdp.experiments.alerts;
