/// A kind of things in a house, as people speak of it.
public enum DeviceCategory: String, CaseIterable, Hashable, Sendable {
    case light, plug, door, window, lock, garage, blind, heating, fan, media, sensor, meter, motion, device
}
