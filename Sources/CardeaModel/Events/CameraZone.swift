import Foundation

/// A part of a camera's picture, as a polygon.
public struct CameraZone: Hashable, Sendable {
    public var name: String
    public var corners: [Corner]

    /// A place in the picture: from left to right, and from top to bottom, each from 0 to 1.
    public struct Corner: Hashable, Sendable {
        public var x: Double
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    public static let cornerLimit = 32

    public init(name: String, corners: [Corner]) {
        self.name = name
        self.corners = corners
    }

    func check() throws(FieldError) {
        do { _ = try Name.check(name) } catch { throw .name(field: "detection.zones.name", error) }
        guard corners.count <= Self.cornerLimit else { throw .tooMany(field: "detection.zones.points", Self.cornerLimit) }
        guard corners.count >= 3, corners.allSatisfy({ (0...1).contains($0.x) && (0...1).contains($0.y) }) else {
            throw .range(field: "detection.zones.points", 0...1)
        }
    }

    /// Returns whether the point lies inside, by the even-odd rule.
    public func contains(_ place: Corner) -> Bool {
        guard var last = corners.last else { return false }
        var isInside = false
        for corner in corners {
            if (corner.y > place.y) != (last.y > place.y) {
                let crossing = corner.x + (place.y - corner.y) / (last.y - corner.y) * (last.x - corner.x)
                if place.x < crossing { isInside.toggle() }
            }
            last = corner
        }
        return isInside
    }
}
