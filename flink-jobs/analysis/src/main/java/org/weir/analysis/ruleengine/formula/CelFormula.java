package org.weir.analysis.ruleengine.formula;

import static java.util.stream.Collectors.toCollection;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.runtime.CelAttributePattern;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelUnknownSet;
import dev.cel.runtime.PartialVars;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Has CEL compute an expression. All names are read, so that what is known of the value is the
 * worst of what it may read.
 *
 * @param names that it may read
 */
public record CelFormula(CelRuntime.Program program, Set<String> names) implements Formula {
  public static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .enableUnknownTracking(true)
          .build();

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder().setOptions(OPTIONS).build();

  /** Makes a formula of a checked expression; only where it must, one that needs CEL. */
  public static Formula of(CelAbstractSyntaxTree checked) throws CelEvaluationException {
    Formula formula = of(checked.getExpr());
    return formula == null ? inCel(checked) : formula;
  }

  /** Leaves a checked expression to CEL. */
  private static CelFormula inCel(CelAbstractSyntaxTree checked) throws CelEvaluationException {
    Set<String> names =
        checked.getReferenceMap().values().stream()
            .map(CelReference::name)
            .filter(name -> name.matches("[a-z].*")) // no function, nothing that CEL made
            .collect(toCollection(LinkedHashSet::new));
    return new CelFormula(RUNTIME.createProgram(checked), names);
  }

  private static @Nullable Formula of(CelExpr expr) {
    return switch (expr.getKind()) {
      case CONSTANT -> constant(expr.constant());
      case IDENT -> new Name(expr.ident().name());
      case CALL -> operation(expr.call());
      default -> null;
    };
  }

  private static @Nullable Formula constant(CelConstant constant) {
    return switch (constant.getKind()) {
      case DOUBLE_VALUE -> new Constant(constant.doubleValue());
      case BOOLEAN_VALUE -> new Constant(constant.booleanValue());
      default -> null;
    };
  }

  private static @Nullable Formula operation(CelExpr.CelCall call) {
    Operator operator = Operator.of(call.function());
    if (operator == null || call.target().isPresent()) {
      return null;
    }
    List<Formula> parts = new ArrayList<>();
    for (CelExpr arg : call.args()) {
      Formula part = of(arg);
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    return new Operation(operator, List.copyOf(parts));
  }

  @Override
  public @Nullable Object value(Function<String, @Nullable Object> read) {
    Map<String, Object> known = new HashMap<>();
    List<CelAttributePattern> unknown = new ArrayList<>();
    for (String name : names) {
      Object value = read.apply(name);
      if (value == null) {
        unknown.add(CelAttributePattern.create(name));
      } else {
        known.put(name, value);
      }
    }
    try {
      Object value =
          program.eval(PartialVars.of(name -> Optional.ofNullable(known.get(name)), unknown));
      return value instanceof CelUnknownSet ? null : value;
    } catch (CelEvaluationException e) {
      return null; // it makes no sense
    }
  }

  @Override
  public void addNames(Set<String> all) {
    all.addAll(names);
  }
}
