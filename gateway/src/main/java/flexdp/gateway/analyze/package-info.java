/** The owner's static analysis as a service: requests and answers in JSON, line by line. */
package flexdp.gateway.analyze;
