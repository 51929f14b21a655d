/** What a question means, as one text that all its wordings share. */
package flexdp.fingerprint;
