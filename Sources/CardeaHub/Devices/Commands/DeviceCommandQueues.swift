import Synchronization

/// One queue of orders per device. A device is sent one order at a time, and devices do not wait for each other.
final class DeviceCommandQueues: Sendable {
    private let queues = Mutex<[String: [BackendCommand]]>([:])
    private let startedQueues = AsyncStream<String>.makeStream()

    /// Devices whose empty queue has got its first order.
    var started: AsyncStream<String> { startedQueues.stream }

    /// Ends `started`.
    func close() { startedQueues.continuation.finish() }

    func enqueue(_ backendCommand: BackendCommand) {
        let isFirst = queues.withLock { queues in
            defer { queues[backendCommand.deviceID, default: []].append(backendCommand) }
            return queues[backendCommand.deviceID] == nil
        }
        if isFirst { startedQueues.continuation.yield(backendCommand.deviceID) }
    }

    /// The next order in a device's queue; nil when there is none, which removes the queue.
    func dequeue(for deviceID: String) -> BackendCommand? {
        queues.withLock { queues in
            guard let backendCommand = queues[deviceID]?.first else {
                queues[deviceID] = nil
                return nil
            }
            queues[deviceID]?.removeFirst()
            return backendCommand
        }
    }
}
