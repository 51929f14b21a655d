package flexdp.decompose;

import flexdp.algebra.Column;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.List;

/**
 * Which types labels may have: those whose values have one form that can be read and shown
 * (guarantee §12). Others are refused before any row is read, however the labels are found.
 */
final class LabelTypes {
  private LabelTypes() {}

  static void check(List<Column> keys, Position at) {
    for (Column key : keys) {
      switch (key.type().kind()) {
        case INTERVAL_MONTHS, INTERVAL_MICROS ->
            throw Rejection.of(
                RejectionCode.LABEL_TYPE,
                "The labels of GROUP BY " + key.name() + " are intervals, which cannot be shown.",
                "Group by a number or by text in its place, as in CASE WHEN … THEN 'a day' ELSE"
                    + " 'longer' END.",
                at);
        case OPAQUE ->
            throw Rejection.of(
                RejectionCode.LABEL_TYPE,
                "The column of GROUP BY "
                    + key.name()
                    + " is opaque: its values may be counted but not shown.",
                "Have the owner declare a type for the column in the policy, as in type: varchar.",
                at);
        case BOOLEAN,
            SMALLINT,
            INTEGER,
            BIGINT,
            DECIMAL,
            DOUBLE,
            VARCHAR,
            DATE,
            TIME,
            TIMESTAMP,
            UUID,
            NULL -> {}
      }
    }
  }
}
