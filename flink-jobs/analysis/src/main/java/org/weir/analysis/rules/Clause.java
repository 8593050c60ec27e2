package org.weir.analysis.rules;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes a condition apart at its ANDs and ORs, to say which of its features made it hold.
 *
 * @param operator CEL's name of AND or OR; empty for a comparison
 * @param parts of AND and OR
 * @param comparison null for AND and OR
 */
record Clause(String operator, List<Clause> parts, Expression comparison) {
  private static final String OR = "_||_";
  private static final String AND = "_&&_";
  private static final String NOT = "!_";

  /** Takes a checked condition apart. */
  static Clause of(CelAbstractSyntaxTree ast) {
    return of(ast, ast.getExpr());
  }

  private static Clause of(CelAbstractSyntaxTree ast, CelExpr expr) {
    String function = expr.callOrDefault().function();
    if (function.equals(OR) || function.equals(AND)) {
      List<Clause> parts = expr.callOrDefault().args().stream().map(part -> of(ast, part)).toList();
      return new Clause(function, parts, null);
    }
    Set<String> names = new LinkedHashSet<>();
    // What excuses a run is no reason why a rule holds for it.
    if (!function.equals(NOT)) {
      addNames(expr, names);
    }
    CelAbstractSyntaxTree part =
        CelAbstractSyntaxTree.newCheckedAst(
            expr, ast.getSource(), ast.getReferenceMap(), ast.getTypeMap());
    return new Clause("", List.of(), new Expression(() -> part, List.copyOf(names)));
  }

  private static void addNames(CelExpr expr, Set<String> names) {
    if (!expr.identOrDefault().name().isEmpty()) {
      names.add(expr.identOrDefault().name());
    }
    expr.callOrDefault().args().forEach(part -> addNames(part, names));
  }

  /** Returns the names that its true comparisons read; null where it does not hold. */
  Set<String> reasons(Facts facts) {
    if (comparison != null) {
      boolean holds = Boolean.TRUE.equals(facts.evaluate(comparison, Boolean.class));
      return holds ? Set.copyOf(comparison.names()) : null;
    }
    Set<String> reasons = null;
    for (Clause part : parts) {
      Set<String> own = part.reasons(facts);
      if (own == null && operator.equals(AND)) {
        return null;
      }
      if (own != null) {
        reasons = reasons == null ? new LinkedHashSet<>() : reasons;
        reasons.addAll(own);
      }
    }
    return reasons;
  }
}
