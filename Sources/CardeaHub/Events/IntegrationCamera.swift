import CardeaModel
import Foundation

/// A camera under the name another system gives it.
public struct IntegrationCamera: Hashable, Sendable {
    public let kind: CameraSourceKind
    public let name: String

    public init(kind: CameraSourceKind, name: String) {
        self.kind = kind
        self.name = name
    }
}
