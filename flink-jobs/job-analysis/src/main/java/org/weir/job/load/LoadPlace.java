package org.weir.job.load;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.weir.analysis.load.LoadWindow;
import org.weir.analysis.traffic.OwnDevice;

/** Where a run's bytes on one file system went: all of it, or some devices of one server. */
public final class LoadPlace {

  static final String FILESYSTEM = "filesystem";
  static final String SERVER = "server";

  /** The kind of the load messages about it. */
  public String kind;

  /** The file system's id or the server's name. */
  public String subject;

  public String filesystem;

  /** The server's devices that the run went through: OwnDevice, field by field. */
  public String[] devices = {};

  public double[] shares = {};
  public boolean[] placed = {};

  /** Leaves the fields to be set next, as Flink does when it reads one. */
  @SuppressWarnings("NullAway.Init")
  public LoadPlace() {}

  /** Returns the places of a window: its file system, then the servers of its devices. */
  static List<LoadPlace> of(LoadWindow window) {
    List<LoadPlace> places = new ArrayList<>();
    String filesystem = requireNonNull(window.filesystem(), "a window of no file system");
    places.add(of(FILESYSTEM, filesystem, filesystem, List.of()));
    window
        .devicesByServer()
        .forEach((server, own) -> places.add(of(SERVER, server, filesystem, own)));
    return places;
  }

  private static LoadPlace of(String kind, String subject, String filesystem, List<OwnDevice> own) {
    LoadPlace place = new LoadPlace();
    place.kind = kind;
    place.subject = subject;
    place.filesystem = filesystem;
    place.devices = own.stream().map(OwnDevice::id).toArray(String[]::new);
    place.shares = own.stream().mapToDouble(OwnDevice::share).toArray();
    place.placed = new boolean[own.size()];
    for (int i = 0; i < place.placed.length; i++) {
      place.placed[i] = own.get(i).placed();
    }
    return place;
  }

  boolean isServer() {
    return kind.equals(SERVER);
  }

  OwnDevice device(int position) {
    return new OwnDevice(subject, devices[position], shares[position], placed[position]);
  }
}
