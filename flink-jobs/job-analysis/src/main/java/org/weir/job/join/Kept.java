package org.weir.job.join;

import java.util.Map;

/** Keeps values by their name, all of one cluster and job id. */
interface Kept<T> {

  /** Returns the value of a name; null if there is none. */
  T get(String name) throws Exception;

  void put(String name, T value) throws Exception;

  Iterable<Map.Entry<String, T>> entries() throws Exception;

  /** Forgets all of them. */
  void clear();
}
