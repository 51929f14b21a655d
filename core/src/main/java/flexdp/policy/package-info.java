/** What the owner declares: tables, columns, keys, ranges, and how much privacy may be spent. */
package flexdp.policy;
