import CardeaModel
import Foundation

/// A camera under the name another system gives it.
public struct SourceCamera: Hashable, Sendable {
    public let kind: CameraKind
    public let name: String

    public init(kind: CameraKind, name: String) {
        self.kind = kind
        self.name = name
    }
}
