package org.weir.analysis.ruleengine.formula;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Computes an expression of a rule from what it reads. Gives what CEL gives, in a fraction of CEL's
 * time; an expression of more than these operators is CEL's to compute. Safe for use by many
 * threads.
 */
public sealed interface Formula
    permits Formula.Constant, Formula.Name, Formula.Operation, CelFormula {

  /**
   * Returns its value, a Double or a Boolean; null where something unknown decides it.
   *
   * @param read gives the value of a name, null for an unknown one
   */
  @Nullable Object value(Function<String, @Nullable Object> read);

  /** Adds the names that it may read to a set. */
  void addNames(Set<String> names);

  /** Returns the names that it may read, in their order. */
  default Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    addNames(names);
    return names;
  }

  /** Returns the names that its true comparisons read; null where it does not hold. */
  default @Nullable Set<String> reasons(Function<String, @Nullable Object> read) {
    return Boolean.TRUE.equals(value(read)) ? names() : null;
  }

  /** A number, true or false. */
  record Constant(Object value) implements Formula {
    @Override
    public @Nullable Object value(Function<String, @Nullable Object> read) {
      return value;
    }

    @Override
    public void addNames(Set<String> names) {}
  }

  /** A feature, rule, threshold or number of a file. */
  record Name(String name) implements Formula {
    @Override
    public @Nullable Object value(Function<String, @Nullable Object> read) {
      return read.apply(name);
    }

    @Override
    public void addNames(Set<String> names) {
      names.add(name);
    }
  }

  /** An operator and what it is applied to. */
  record Operation(Operator operator, List<Formula> parts) implements Formula {
    @Override
    public @Nullable Object value(Function<String, @Nullable Object> read) {
      return switch (operator) {
        case OR -> decided(true, read);
        case AND -> decided(false, read);
        case CHOICE -> {
          Object condition = parts.get(0).value(read);
          yield condition == null ? null : parts.get((Boolean) condition ? 1 : 2).value(read);
        }
        default -> {
          Object left = parts.get(0).value(read);
          if (left == null) {
            yield null;
          }
          Object right = parts.get(parts.size() - 1).value(read);
          yield right == null ? null : operator.apply(left, right);
        }
      };
    }

    /** One part with the deciding value is enough, whatever of the others is unknown. */
    private @Nullable Object decided(boolean deciding, Function<String, @Nullable Object> read) {
      boolean unknown = false;
      for (Formula part : parts) {
        Object value = part.value(read);
        if (value == null) {
          unknown = true;
        } else if ((Boolean) value == deciding) {
          return deciding;
        }
      }
      return unknown ? null : !deciding;
    }

    @Override
    public void addNames(Set<String> names) {
      parts.forEach(part -> part.addNames(names));
    }

    @Override
    public @Nullable Set<String> reasons(Function<String, @Nullable Object> read) {
      if (!Boolean.TRUE.equals(value(read))) {
        return null;
      }
      if (operator == Operator.NOT) {
        return Set.of(); // what excuses a run is no reason why a rule holds for it
      }
      if (operator != Operator.AND && operator != Operator.OR) {
        return names();
      }
      Set<String> reasons = new LinkedHashSet<>();
      for (Formula part : parts) {
        Set<String> own = part.reasons(read);
        reasons.addAll(own == null ? Set.of() : own);
      }
      return reasons;
    }
  }

  /** Lists the operators that a formula can compute, each with CEL's name of it. */
  enum Operator {
    OR("_||_"),
    AND("_&&_"),
    CHOICE("_?_:_"),
    NOT("!_"),
    EQUAL("_==_"),
    NOT_EQUAL("_!=_"),
    LESS("_<_"),
    LESS_OR_EQUAL("_<=_"),
    GREATER("_>_"),
    GREATER_OR_EQUAL("_>=_"),
    PLUS("_+_"),
    MINUS("_-_"),
    TIMES("_*_"),
    DIVIDED_BY("_/_"),
    NEGATIVE("-_");

    private final String celName;

    Operator(String celName) {
      this.celName = celName;
    }

    /** Returns the operator of a function of CEL; null where it is none of these. */
    static @Nullable Operator of(String celName) {
      for (Operator operator : values()) {
        if (operator.celName.equals(celName)) {
          return operator;
        }
      }
      return null;
    }

    /** Applies it to known values; of one value, left and right are the same. */
    private Object apply(Object left, Object right) {
      return switch (this) {
        case NOT -> !(Boolean) left;
        case EQUAL -> equal(left, right);
        case NOT_EQUAL -> !equal(left, right);
        default -> apply((double) left, (double) right);
      };
    }

    /** NaN is not equal to NaN, and 0 is equal to -0, which is not so of Doubles. */
    private static boolean equal(Object left, Object right) {
      return left instanceof Double number ? number == (double) right : left.equals(right);
    }

    private Object apply(double left, double right) {
      return switch (this) {
        case LESS -> left < right;
        case LESS_OR_EQUAL -> left <= right;
        case GREATER -> left > right;
        case GREATER_OR_EQUAL -> left >= right;
        case PLUS -> left + right;
        case MINUS -> left - right;
        case TIMES -> left * right;
        case DIVIDED_BY -> left / right;
        case NEGATIVE -> -left;
        default -> throw new IllegalStateException(this + " is not of numbers");
      };
    }
  }
}
