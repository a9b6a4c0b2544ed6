import CardeaModel
import CardeaSecurity
import Foundation

/// A camera to read, with its source.
public struct CameraConfiguration: Sendable {
    public let id: String
    /// Rises with every change.
    public let version: Int
    public let source: CameraSource
    public let detection: CameraDetection

    public init(id: String, version: Int, source: CameraSource, detection: CameraDetection) {
        self.id = id
        self.version = version
        self.source = source
        self.detection = detection
    }
}
