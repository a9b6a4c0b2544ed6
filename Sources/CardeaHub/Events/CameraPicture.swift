import CardeaModel
import CardeaSecurity
import Foundation

/// One picture.
public struct CameraPicture: Sendable {
    /// JPEG.
    public let jpeg: Data
    public let takenAt: Date

    public init(jpeg: Data, takenAt: Date) {
        self.jpeg = jpeg
        self.takenAt = takenAt
    }
}
