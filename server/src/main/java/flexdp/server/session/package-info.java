/** One client's conversation: settings, transactions, statements, cursors and their results. */
package flexdp.server.session;
