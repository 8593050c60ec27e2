package org.weir.analysis.accumulate;

import org.jspecify.annotations.Nullable;
import org.weir.analysis.log.Module;
import org.weir.analysis.state.StateBytes;

/** Everything known of one file: what each module recorded of it, and how it is striped. */
public final class FileTotals {
  private static final int LAYOUT = Module.DATA.size();

  private final @Nullable FileUse[] uses = new FileUse[Module.DATA.size()];
  private @Nullable FileLayout layout;

  /** Null where the module did not record the file. */
  public @Nullable FileUse use(Module module) {
    return uses[module.ordinal()];
  }

  /** Null where LUSTRE did not record the file. */
  public @Nullable FileLayout layout() {
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

  void write(StateBytes.Out out) {
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

  /** Adds what was written. */
  void read(StateBytes.In in) {
    int present = in.readByte();
    for (Module module : Module.DATA) {
      if ((present & 1 << module.ordinal()) != 0) {
        useToAdd(module).read(in);
      }
    }
    if ((present & 1 << LAYOUT) != 0) {
      layoutToAdd().read(in);
    }
  }
}
