import NIOCore
import Synchronization

/// A connection that was accepted and is not served yet.
///
/// A listener that ends drops what it has accepted and not handed on, and SwiftNIO stops the whole process if an `NIOAsyncChannel` is
/// dropped before it was ended. So accepted connections are kept in here: one that is never served is closed.
public final class AcceptedConnection<Inbound: Sendable, Outbound: Sendable>: Sendable {
    public typealias AsyncChannel = NIOAsyncChannel<Inbound, Outbound>

    private let asyncChannel: AsyncChannel
    private let isServed = Atomic(false)

    public init(_ line: AsyncChannel) {
        self.asyncChannel = line
    }

    public var channel: any Channel { asyncChannel.channel }

    /// Hands the connection over. The caller must end it by `executeThenClose`.
    public func takeOver() -> AsyncChannel {
        isServed.store(true, ordering: .releasing)
        return asyncChannel
    }

    deinit {
        guard !isServed.load(ordering: .acquiring) else { return }
        // The error is ignored: it only means that the connection has ended already.
        Task { [asyncChannel] in try? await asyncChannel.executeThenClose { _, _ in } }
    }
}
