import Foundation

/// An answer whose body comes bit by bit, such as a stream of events. To let go of it is to close the connection.
public struct TransportStream: Sendable {
    public let status: Int
    /// Ends where the other side ended it; throws `TransportFailure` where the line broke.
    public let parts: AsyncThrowingStream<Data, any Error>

    public init(status: Int, parts: AsyncThrowingStream<Data, any Error>) {
        self.status = status
        self.parts = parts
    }
}
