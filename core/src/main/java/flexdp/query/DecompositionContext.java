package flexdp.query;

import java.time.LocalDateTime;
import java.util.Optional;

/**
 * What is known beside a question when it is cut.
 *
 * @param bins labels that are supplied
 * @param ranges of values of which nothing that is believed says one
 * @param now when it is asked, if it says so itself: days from some day on end then
 */
public record DecompositionContext(
    Optional<Bins> bins, RangeSource ranges, Optional<LocalDateTime> now) {}
