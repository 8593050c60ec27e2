package org.weir.load.sample;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;

/**
 * The ids of a sample's devices as one array of bytes: UTF-8, each ended by {@link #END}. A server
 * names the same devices sample after sample, so most often they are only carried, kept and
 * compared.
 */
public final class DeviceIds {

  /** No id holds it. */
  public static final char END = '\0';

  private DeviceIds() {}

  public static byte[] pack(List<String> ids) {
    StringBuilder packed = new StringBuilder(32 * ids.size());
    for (String id : ids) {
      packed.append(id).append(END);
    }
    return packed.toString().getBytes(UTF_8);
  }

  public static String[] unpack(byte[] packed) {
    String[] ids = new String(packed, UTF_8).split(String.valueOf(END), -1);
    return Arrays.copyOf(ids, ids.length - 1);
  }
}
