package org.weir.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Everything known of one file: what each module recorded of it, and how it is striped. */
final class FileTotals {
  private static final int LAYOUT = Module.DATA.size();

  private final FileUse[] uses = new FileUse[Module.DATA.size()];
  private FileLayout layout;

  /** Null where the module did not record the file. */
  FileUse use(Module module) {
    return uses[module.ordinal()];
  }

  /** Null where LUSTRE did not record the file. */
  FileLayout layout() {
    return layout;
  }

  FileUse useToAdd(Module module) {
    if (uses[module.ordinal()] == null) {
      uses[module.ordinal()] = new FileUse();
    }
    return uses[module.ordinal()];
  }

  FileLayout layoutToAdd() {
    layout = layout == null ? new FileLayout() : layout;
    return layout;
  }

  void merge(FileTotals other) {
    for (Module module : Module.DATA) {
      if (other.use(module) != null) {
        useToAdd(module).merge(other.use(module));
      }
    }
    if (other.layout != null) {
      layoutToAdd().merge(other.layout);
    }
  }

  void write(DataOutput out) throws IOException {
    int present = layout == null ? 0 : 1 << LAYOUT;
    for (Module module : Module.DATA) {
      present |= use(module) == null ? 0 : 1 << module.ordinal();
    }
    out.writeByte(present);
    for (FileUse use : uses) {
      if (use != null) {
        use.write(out);
      }
    }
    if (layout != null) {
      layout.write(out);
    }
  }

  static FileTotals read(DataInput in) throws IOException {
    FileTotals totals = new FileTotals();
    int present = in.readByte();
    for (int i = 0; i < LAYOUT; i++) {
      totals.uses[i] = (present & 1 << i) == 0 ? null : FileUse.read(in);
    }
    totals.layout = (present & 1 << LAYOUT) == 0 ? null : FileLayout.read(in);
    return totals;
  }
}
