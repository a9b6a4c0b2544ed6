import CardeaModel
import Foundation

/// A camera, as somebody else than the house calls it.
public struct SourceCamera: Hashable, Sendable {
    public let kind: CameraKind
    public let name: String

    public init(kind: CameraKind, name: String) {
        self.kind = kind
        self.name = name
    }
}
