import NIOCore
import Synchronization

/// A connection that was accepted and is not served yet.
///
/// A listener that ends drops what it has accepted and not handed on, and SwiftNIO stops the whole process where an `NIOAsyncChannel` is
/// dropped before it was ended. So what is accepted travels in here: whatever nobody comes to serve is closed.
public final class AcceptedConnection<Inbound: Sendable, Outbound: Sendable>: Sendable {
    public typealias AsyncChannel = NIOAsyncChannel<Inbound, Outbound>

    private let asyncChannel: AsyncChannel
    private let isServed = Atomic(false)

    public init(_ line: AsyncChannel) {
        self.asyncChannel = line
    }

    public var channel: any Channel { asyncChannel.channel }

    /// Hands the connection over. Whoever takes it ends it, by `executeThenClose`.
    public func takeOver() -> AsyncChannel {
        isServed.store(true, ordering: .releasing)
        return asyncChannel
    }

    deinit {
        guard !isServed.load(ordering: .acquiring) else { return }
        // How it ends is nobody's concern: the only error there is says that it has ended already.
        Task { [asyncChannel] in try? await asyncChannel.executeThenClose { _, _ in } }
    }
}
