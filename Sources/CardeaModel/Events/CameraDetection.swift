import Foundation

/// The detection settings of a camera's picture.
public struct CameraDetection: Hashable, Sendable {
    public var motion: Bool
    /// 1 for what fills the picture, 100 for a cat at its end.
    public var sensitivity: Int
    /// The zones in which motion counts; the whole picture if there are none.
    public var zones: [CameraZone]

    public static let sensitivities = 1...100
    public static let zoneLimit = 16

    public init(motion: Bool = false, sensitivity: Int = 50, zones: [CameraZone] = []) {
        self.motion = motion
        self.sensitivity = sensitivity
        self.zones = zones
    }

    public func check() throws(FieldError) {
        guard Self.sensitivities.contains(sensitivity) else { throw .range(field: "detection.sensitivity", 1...100) }
        guard zones.count <= Self.zoneLimit else { throw .tooMany(field: "detection.zones", Self.zoneLimit) }
        for zone in zones { try zone.check() }
    }
}
