/// A kind of device, as people call it.
public enum DeviceCategory: String, CaseIterable, Hashable, Sendable {
    case light, plug, door, window, lock, garage, blind, heating, fan, media, sensor, meter, motion, device
}
