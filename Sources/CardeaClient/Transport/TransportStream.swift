import Foundation

/// An answer with a streaming body, such as a stream of events. Releasing it closes the connection.
public struct TransportStream: Sendable {
    public let status: Int
    /// Ends at the end of the body; throws `TransportFailure` if the connection broke.
    public let parts: AsyncThrowingStream<Data, any Error>

    public init(status: Int, parts: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.parts = parts
    }
}
