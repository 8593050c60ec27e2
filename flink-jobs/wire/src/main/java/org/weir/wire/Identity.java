package org.weir.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import org.bouncycastle.crypto.digests.Blake2bDigest;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Deterministic identities: BLAKE2b-128, 32 lower-case hex digits. All are held to {@code
 * schemas/vectors/identity.json}, and so is Python's {@code weir.identity}, which has those of
 * logs, jobs and dead letters.
 */
@NullMarked
public final class Identity {
  private static final int DIGEST_BITS = 128;

  private Identity() {}

  /** Identifies a Darshan log by the bytes of its file. */
  public static String logId(byte[] file) {
    return hash(file);
  }

  /**
   * Identifies one submit of a job.
   *
   * @param arrayIndex null outside an array
   * @param submitSecond whole Unix seconds
   */
  public static String jobUid(
      String cluster, long jobId, @Nullable Long arrayIndex, long submitSecond) {
    return joined(
        cluster,
        Long.toString(jobId),
        arrayIndex == null ? "" : arrayIndex.toString(),
        Long.toString(submitSecond));
  }

  /**
   * Identifies a dead letter: the same input refused twice is one.
   *
   * @param place topic/partition/offset, or file and position
   */
  public static String deadLetterId(String cluster, String source, String place) {
    return joined(cluster, source, place);
  }

  /** Identifies an alert; what unit and recipient mean for each kind: schemas/README. */
  public static String alertId(String kind, String unit, String recipient) {
    return joined(kind, unit, recipient);
  }

  /** Identifies a user's case: one cause in one program. */
  public static String caseId(String cluster, String user, String program, String rule) {
    return joined(cluster, user, program, rule);
  }

  /**
   * Identifies a storage event.
   *
   * @param since microseconds
   */
  public static String storageEventId(
      String cluster, String kind, String subjectKind, String subject, long since) {
    return joined(cluster, kind, subjectKind, subject, Long.toString(since));
  }

  /** BLAKE2b-128 hex of raw bytes. */
  public static String hash(byte[] bytes) {
    Blake2bDigest digest = new Blake2bDigest(DIGEST_BITS);
    digest.update(bytes, 0, bytes.length);
    byte[] result = new byte[DIGEST_BITS / Byte.SIZE];
    digest.doFinal(result, 0);
    return HexFormat.of().formatHex(result);
  }

  private static String joined(String... parts) {
    return hash(String.join("\0", parts).getBytes(UTF_8));
  }
}
