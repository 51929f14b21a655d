/**
 * Which parts of partitioned tables a question can read: a condition on the column of a partition
 * goes down the tree to the scans whose other rows cannot matter. When in doubt, all of them do.
 */
package flexdp.partition;
