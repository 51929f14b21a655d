/** Reports: sections of prose, tables and plots in one HTML file that fetches nothing. */
package flexdp.experiments.report;
