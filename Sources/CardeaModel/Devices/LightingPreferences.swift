/// The lighting of a room by default.
public struct LightingPreferences: Hashable, Sendable {
    /// Percent at which a light comes on that is switched on without a brightness; nil for the light's own.
    public var defaultBrightness: Int?
    /// Kelvin. Kept for other clients; the hub does nothing by it.
    public var colorTemperature: Int?
    /// Kept for other clients; the hub does nothing by it.
    public var automaticControl = false
    /// True if motion switches the lights on; see `MotionLighting`.
    public var motionActivated = false

    public init() {}
}
