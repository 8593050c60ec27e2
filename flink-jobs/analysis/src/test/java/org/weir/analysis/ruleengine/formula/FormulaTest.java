package org.weir.analysis.ruleengine.formula;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelAttributePattern;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelUnknownSet;
import dev.cel.runtime.PartialVars;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Formulas against CEL, which computes the same text by itself. */
class FormulaTest {
  private static final List<String> NUMBERS = List.of("a", "b", "c");
  private static final List<String> FLAGS = List.of("p", "q", "r");

  /** Without NaN, which CEL takes for equal to itself where a name is compared with itself. */
  private static final double[] VALUES = {
    0.0, -0.0, 1.0, -1.5, 3.0, Double.POSITIVE_INFINITY, Double.MIN_VALUE
  };

  private final Cel cel = cel();

  private static Cel cel() {
    var builder =
        CelFactory.plannerCelBuilder()
            .setOptions(CelFormula.OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS);
    NUMBERS.forEach(name -> builder.addVar(name, SimpleType.DOUBLE));
    FLAGS.forEach(name -> builder.addVar(name, SimpleType.BOOL));
    return builder.build();
  }

  private CelAbstractSyntaxTree checked(String text) throws Exception {
    return cel.compile(text).getAst();
  }

  @Tag("slow")
  @Test
  void anyExpressionHasTheValueThatCelGivesItAndReadsTheSame() throws Exception {
    Random random = new Random(18);
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < 3_000; i++) {
      String text = random.nextInt(4) == 0 ? number(random, 4) : flag(random, 4);
      CelRuntime.Program byCel = cel.createProgram(checked(text));
      Formula own = CelFormula.of(checked(text));
      assertThat(own).as(text).isNotInstanceOf(CelFormula.class);
      for (int j = 0; j < 10; j++) {
        Map<String, Object> values = values(random);
        Set<String> read = new HashSet<>();
        Object value = own.value(noting(read, values));
        Set<String> readByCel = new HashSet<>();
        assertThat(value).as("%s of %s", text, values).isEqualTo(value(byCel, values, readByCel));
        if (values.size() == NUMBERS.size() + FLAGS.size()) {
          assertThat(read).as("%s of %s", text, values).isEqualTo(readByCel);
        }
        assertThat(own.names()).as(text).containsAll(read);
        seen.add(value == null ? "unknown" : value);
      }
    }
    assertThat(seen).contains(true, false, "unknown", 0.0, -0.0, Double.NaN).hasSizeGreaterThan(50);
  }

  private static Object value(
      CelRuntime.Program byCel, Map<String, Object> values, Set<String> read) throws Exception {
    List<CelAttributePattern> unknown =
        Stream.of(NUMBERS, FLAGS)
            .flatMap(List::stream)
            .filter(name -> !values.containsKey(name))
            .map(CelAttributePattern::create)
            .toList();
    Function<String, Object> noted = noting(read, values);
    Object value =
        byCel.eval(PartialVars.of(name -> Optional.ofNullable(noted.apply(name)), unknown));
    return value instanceof CelUnknownSet ? null : value;
  }

  /** Gives values, and notes which known ones are asked for. */
  private static Function<String, Object> noting(Set<String> read, Map<String, Object> values) {
    return name -> {
      if (values.containsKey(name)) {
        read.add(name);
      }
      return values.get(name);
    };
  }

  @Test
  void whatIsNotOfItsOperatorsIsLeftToCel() throws Exception {
    assertThat(CelFormula.of(checked("a > 1"))).isInstanceOf(CelFormula.class);
    Formula any = CelFormula.of(checked("[a, b].exists(x, x > c)"));
    assertThat(any).isInstanceOf(CelFormula.class);
    assertThat(any.value(Map.<String, Object>of("a", 1.0, "b", 3.0, "c", 2.0)::get))
        .isEqualTo(true);
    assertThat(any.value(Map.<String, Object>of("a", 1.0, "c", 2.0)::get)).isNull();
    assertThat(any.names()).contains("a", "b", "c");
  }

  private static Map<String, Object> values(Random random) {
    Map<String, Object> values = new HashMap<>();
    for (String name : NUMBERS) {
      if (random.nextInt(5) > 0) {
        values.put(name, VALUES[random.nextInt(VALUES.length)]);
      }
    }
    for (String name : FLAGS) {
      if (random.nextInt(5) > 0) {
        values.put(name, random.nextBoolean());
      }
    }
    return values;
  }

  private static String flag(Random random, int depth) {
    if (depth == 0) {
      return FLAGS.get(random.nextInt(FLAGS.size()));
    }
    int below = depth - 1;
    return switch (random.nextInt(9)) {
      case 0 -> "(" + flag(random, below) + " && " + flag(random, below) + ")";
      case 1 -> "(" + flag(random, below) + " || " + flag(random, below) + ")";
      case 2 -> "!(" + flag(random, below) + ")";
      case 3 ->
          "(%s ? %s : %s)".formatted(flag(random, below), flag(random, below), flag(random, below));
      case 4 -> "(" + flag(random, below) + " == " + flag(random, below) + ")";
      case 5 -> "(" + flag(random, below) + " != " + flag(random, below) + ")";
      default -> {
        String operator = List.of("<", "<=", ">", ">=", "==", "!=").get(random.nextInt(6));
        yield "(%s %s %s)".formatted(number(random, below), operator, number(random, below));
      }
    };
  }

  private static String number(Random random, int depth) {
    if (depth == 0) {
      return random.nextBoolean() ? NUMBERS.get(random.nextInt(NUMBERS.size())) : "0.5";
    }
    int below = depth - 1;
    return switch (random.nextInt(4)) {
      case 0 -> "-(" + number(random, below) + ")";
      case 1 ->
          "(%s ? %s : %s)"
              .formatted(flag(random, below), number(random, below), number(random, below));
      default -> {
        String operator = List.of("+", "-", "*", "/").get(random.nextInt(4));
        yield "(%s %s %s)".formatted(number(random, below), operator, number(random, below));
      }
    };
  }
}
