package flexdp.release;

/** Exact values of one noisy aggregate: nobody but its release plan can look into them. */
public sealed interface Exact
    permits HistogramRelease.Cells,
        MarginalsRelease.Cuboids,
        ClippedRelease.Clips,
        ClippedParts.Each,
        PackedRelease.Shares {}
