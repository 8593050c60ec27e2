package org.weir.analysis.ruleengine;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.weir.analysis.ruleengine.CompiledRule.CompiledAdvice;
import org.weir.analysis.ruleengine.formula.Formula;
import org.weir.analysis.ruleengine.formula.Formula.Constant;
import org.weir.analysis.ruleengine.formula.Formula.Name;
import org.weir.analysis.ruleengine.formula.Formula.Operation;
import org.weir.analysis.ruleengine.formula.Formula.Operator;

/**
 * Writes compiled rules as bytes and reads them back without CEL, which takes longer to start than
 * all else that one log needs. Only the program that wrote the bytes reads them.
 */
final class RuleBytes {
  private static final byte NAME = 0;
  private static final byte NUMBER = 1;
  private static final byte OPERATION = 2;

  private RuleBytes() {}

  static void write(Collection<CompiledRule> rules, DataOutput out) throws IOException {
    writeAll(rules, out, RuleBytes::write);
  }

  static List<CompiledRule> read(DataInput in) throws IOException {
    return readAll(in, RuleBytes::readRule);
  }

  private static void write(CompiledRule compiled, DataOutput out) throws IOException {
    Rule rule = compiled.rule();
    out.writeUTF(rule.id());
    out.writeUTF(rule.title());
    out.writeUTF(rule.blames().name());
    out.writeUTF(rule.scope().name());
    writeMap(rule.thresholds(), out, (value, o) -> o.writeDouble(value));
    out.writeUTF(rule.condition());
    writeAll(rule.evidence(), out, (text, o) -> o.writeUTF(text));
    out.writeDouble(rule.severity().notice());
    out.writeDouble(rule.severity().warning());
    out.writeDouble(rule.severity().critical());
    write(compiled.condition(), out);
    writeAll(compiled.reads(), out, (text, o) -> o.writeUTF(text));
    writeAll(rule.advice(), out, RuleBytes::write);
    writeAll(compiled.advice(), out, RuleBytes::write);
  }

  private static CompiledRule readRule(DataInput in) throws IOException {
    String id = in.readUTF();
    String title = in.readUTF();
    Responsible blames = Responsible.valueOf(in.readUTF());
    Scope scope = Scope.valueOf(in.readUTF());
    Map<String, Double> thresholds = readMap(in, DataInput::readDouble);
    String text = in.readUTF();
    List<String> evidence = readAll(in, DataInput::readUTF);
    SeverityThresholds severity =
        new SeverityThresholds(in.readDouble(), in.readDouble(), in.readDouble());
    Formula condition = readFormula(in);
    TreeSet<String> reads = new TreeSet<>(readAll(in, DataInput::readUTF));
    List<AdviceSpec> specs = readAll(in, RuleBytes::readSpec);
    List<CompiledAdvice> advice = readAll(in, RuleBytes::readAdvice);
    Rule rule = new Rule(id, title, blames, scope, thresholds, text, evidence, specs, severity);
    return new CompiledRule(rule, condition, reads, advice);
  }

  private static void write(AdviceSpec spec, DataOutput out) throws IOException {
    out.writeUTF(spec.id());
    writeMap(spec.parameters(), out, (text, o) -> o.writeUTF(text));
    writeNullable(spec.files(), out, (text, o) -> o.writeUTF(text));
  }

  private static AdviceSpec readSpec(DataInput in) throws IOException {
    return new AdviceSpec(
        in.readUTF(), readMap(in, DataInput::readUTF), in.readBoolean() ? in.readUTF() : null);
  }

  private static void write(CompiledAdvice advice, DataOutput out) throws IOException {
    out.writeUTF(advice.id());
    writeMap(advice.parameters(), out, RuleBytes::write);
    writeNullable(advice.files(), out, RuleBytes::write);
  }

  private static CompiledAdvice readAdvice(DataInput in) throws IOException {
    return new CompiledAdvice(
        in.readUTF(),
        readMap(in, RuleBytes::readFormula),
        in.readBoolean() ? readFormula(in) : null);
  }

  private static void write(Formula formula, DataOutput out) throws IOException {
    if (formula instanceof Name name) {
      out.writeByte(NAME);
      out.writeUTF(name.name());
    } else if (formula instanceof Constant constant && constant.value() instanceof Double number) {
      out.writeByte(NUMBER);
      out.writeDouble(number);
    } else if (formula instanceof Operation operation) {
      out.writeByte(OPERATION);
      out.writeUTF(operation.operator().name());
      writeAll(operation.parts(), out, RuleBytes::write);
    } else {
      throw new IllegalStateException(formula + " cannot be kept: only CEL can compute it");
    }
  }

  private static Formula readFormula(DataInput in) throws IOException {
    return switch (in.readByte()) {
      case NAME -> new Name(in.readUTF());
      case NUMBER -> new Constant(in.readDouble());
      default -> new Operation(Operator.valueOf(in.readUTF()), readAll(in, RuleBytes::readFormula));
    };
  }

  private interface Writer<T> {
    void write(T value, DataOutput out) throws IOException;
  }

  private interface Reader<T> {
    T read(DataInput in) throws IOException;
  }

  private static <T> void writeAll(Collection<T> values, DataOutput out, Writer<T> writer)
      throws IOException {
    out.writeInt(values.size());
    for (T value : values) {
      writer.write(value, out);
    }
  }

  private static <T> List<T> readAll(DataInput in, Reader<T> reader) throws IOException {
    int size = in.readInt();
    List<T> values = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      values.add(reader.read(in));
    }
    return values;
  }

  private static <T> void writeMap(Map<String, T> values, DataOutput out, Writer<T> writer)
      throws IOException {
    writeAll(
        new TreeMap<>(values).entrySet(),
        out,
        (entry, o) -> {
          o.writeUTF(entry.getKey());
          writer.write(entry.getValue(), o);
        });
  }

  private static <T> Map<String, T> readMap(DataInput in, Reader<T> reader) throws IOException {
    Map<String, T> values = new TreeMap<>();
    int size = in.readInt();
    for (int i = 0; i < size; i++) {
      values.put(in.readUTF(), reader.read(in));
    }
    return values;
  }

  private static <T> void writeNullable(@Nullable T value, DataOutput out, Writer<T> writer)
      throws IOException {
    out.writeBoolean(value != null);
    if (value != null) {
      writer.write(value, out);
    }
  }
}
