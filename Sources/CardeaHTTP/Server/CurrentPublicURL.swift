import CardeaModel
import Foundation
import Synchronization

/// The one address that links and QR codes carry. Known for certain only once the hub listens.
public final class CurrentPublicURL: Sendable {
    private let url: Mutex<String>
    private let listeningPort = Mutex<Int?>(nil)

    public init(_ url: String = "http://127.0.0.1") {
        self.url = Mutex(Self.trimmed(url))
    }

    public var text: String { url.withLock { $0 } }

    /// The port that the hub listens at; nil until it does.
    public var port: Int? { listeningPort.withLock { $0 } }

    public func didListen(at port: Int) { listeningPort.withLock { $0 = port } }

    public func update(_ text: String) {
        url.withLock { $0 = Self.trimmed(text) }
    }

    private static func trimmed(_ text: String) -> String {
        text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
