/** HTTP/1.1 as far as the console and programs need it, read strictly; it knows of no questions. */
package flexdp.server.http;
