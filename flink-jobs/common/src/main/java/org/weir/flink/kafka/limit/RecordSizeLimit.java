package org.weir.flink.kafka.limit;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.io.InputStream;
import net.bytebuddy.build.Plugin;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.MethodDelegation;

/**
 * Has Kafka's client read the records of compressed batches with {@link LimitedRecord}, when this
 * module is built. Kafka bounds a batch as it travels, not what it unpacks to, and no setting of
 * broker or client does: 55 KB of zstd hold a record of 600 MB, for which the client makes room
 * before any deserializer sees it.
 */
public final class RecordSizeLimit implements Plugin {

  @Override
  public boolean matches(TypeDescription type) {
    return type.getName().equals("org.apache.kafka.common.record.DefaultRecord");
  }

  @Override
  public DynamicType.Builder<?> apply(
      DynamicType.Builder<?> builder, TypeDescription type, ClassFileLocator locator) {
    return builder
        .method(named("readFrom").and(takesArgument(0, InputStream.class)))
        .intercept(MethodDelegation.to(LimitedRecord.class));
  }

  @Override
  public void close() {}
}
