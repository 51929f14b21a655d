package flexdp.sensitivity;

import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.Bound.Constant;
import flexdp.sensitivity.Bound.Leaf;
import flexdp.sensitivity.Bound.Max;
import flexdp.sensitivity.Bound.Min;
import flexdp.sensitivity.Bound.Product;
import flexdp.sensitivity.Bound.Sum;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Prints bounds. One unit: a polynomial in k; several: k_trips, k_drivers and so on. */
final class FormulaPrinter {
  /** Longer ones are cut: a chain of a hundred joins prints no better than this. */
  private static final int LONGEST = 20_000;

  private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  private final boolean symbols;
  private final boolean single;
  private final StringBuilder out = new StringBuilder();

  private FormulaPrinter(Bound bound, boolean symbols) {
    this.symbols = symbols;
    this.single = bound.units().size() <= 1;
  }

  static String withNumbers(Bound bound) {
    return print(bound, false);
  }

  static String withSymbols(Bound bound) {
    return print(bound, true);
  }

  private static String print(Bound bound, boolean symbols) {
    FormulaPrinter formula = new FormulaPrinter(bound, symbols);
    formula.append(bound, 0);
    return formula.out.length() > LONGEST
        ? formula.out.substring(0, LONGEST) + " …"
        : formula.out.toString();
  }

  /** Precedence 0: a whole formula; 1: a factor, in brackets when it is a sum. */
  private void append(Bound bound, int precedence) {
    if (out.length() > LONGEST) {
      return;
    }
    if (!symbols && bound.polynomial().isPresent()) {
      bracket(precedence, polynomial(bound));
      return;
    }
    switch (bound) {
      case Constant constant -> out.append(constant.value());
      case Leaf leaf -> bracket(precedence, leaf.symbol() + " + " + grown(leaf));
      case Sum sum -> {
        out.append(precedence > 0 ? "(" : "");
        separated(terms(sum), " + ", 0);
        out.append(precedence > 0 ? ")" : "");
      }
      case Product product -> separated(ordered(product.parts()), "·", 1);
      case Max max -> {
        out.append("max(");
        separated(ordered(max.parts()), ", ", 0);
        out.append(")");
      }
      case Min min -> {
        out.append("min(");
        separated(ordered(min.parts()), ", ", 0);
        out.append(")");
      }
    }
  }

  private void separated(List<Bound> parts, String separator, int precedence) {
    for (int i = 0; i < parts.size(); i++) {
      out.append(i > 0 ? separator : "");
      append(parts.get(i), precedence);
    }
  }

  private void bracket(int precedence, String text) {
    out.append(precedence > 0 && text.contains(" ") ? "(" + text + ")" : text);
  }

  /** Parts of one unit that are polynomials are added up first. */
  private List<Bound> terms(Sum sum) {
    if (symbols) {
      return ordered(sum.parts());
    }
    List<Bound> rest = new ArrayList<>();
    List<Bound> merged = new ArrayList<>();
    for (PrivacyUnit unit : sum.units()) {
      List<Bound> same =
          sum.parts().stream()
              .filter(p -> p.polynomial().isPresent() && p.units().contains(unit))
              .toList();
      if (!same.isEmpty()) {
        merged.add(FormulaSimplifier.sum(same));
      }
    }
    sum.parts().stream().filter(p -> p.polynomial().isEmpty()).forEach(rest::add);
    sum.parts().stream().filter(Bound::isConstant).forEach(merged::add);
    merged.addAll(rest);
    return merged;
  }

  private List<Bound> ordered(List<Bound> parts) {
    if (symbols) {
      return parts.stream().sorted(Comparator.comparing((Bound p) -> !p.isConstant())).toList();
    }
    List<Bound> simple =
        parts.stream()
            .filter(part -> part.polynomial().isPresent())
            .sorted((a, b) -> a.polynomial().get().compareGrowth(b.polynomial().get()))
            .collect(Collectors.toCollection(ArrayList::new));
    parts.stream().filter(part -> part.polynomial().isEmpty()).forEach(simple::add);
    return simple;
  }

  private String polynomial(Bound bound) {
    String variable = bound.isConstant() ? "" : variable(bound.units().first());
    BigInteger[] coefficients = bound.polynomial().orElseThrow().coefficients();
    List<String> terms = new ArrayList<>();
    for (int power = coefficients.length - 1; power >= 0; power--) {
      BigInteger coefficient = coefficients[power];
      if (coefficient.signum() != 0) {
        boolean silent = power > 0 && coefficient.equals(BigInteger.ONE);
        terms.add(
            (silent ? "" : coefficient.toString()) + (power > 0 ? variable : "") + raised(power));
      }
    }
    return terms.isEmpty() ? "0" : String.join(" + ", terms);
  }

  private static String raised(int power) {
    return power < 2
        ? ""
        : Integer.toString(power)
            .chars()
            .mapToObj(digit -> String.valueOf(SUPERSCRIPTS.charAt(digit - '0')))
            .collect(Collectors.joining());
  }

  private String grown(Leaf leaf) {
    boolean silent = leaf.growth().equals(BigInteger.ONE);
    return (silent ? "" : leaf.growth() + "·") + variable(leaf.unit());
  }

  private String variable(PrivacyUnit unit) {
    return single ? "k" : "k_" + unit.name();
  }
}
