import Synchronization

/// Orders in the order in which they are to reach each device: it is handed one at a time, and devices do not wait for each other.
final class DeviceCommandQueues: Sendable {
    private let queues = Mutex<[String: [DeviceOrder]]>([:])
    private let startedQueues = AsyncStream<String>.makeStream()

    /// Devices whose line has just begun.
    var started: AsyncStream<String> { startedQueues.stream }

    /// No further line begins: `begun` ends with those that have.
    func close() { startedQueues.continuation.finish() }

    func enqueue(_ order: DeviceOrder) {
        let begins = queues.withLock { lines in
            defer { lines[order.deviceID, default: []].append(order) }
            return lines[order.deviceID] == nil
        }
        if begins { startedQueues.continuation.yield(order.deviceID) }
    }

    /// The next order in a device's line; nil, and the line is over, when there is none.
    func dequeue(for deviceID: String) -> DeviceOrder? {
        queues.withLock { lines in
            guard let order = lines[deviceID]?.first else {
                lines[deviceID] = nil
                return nil
            }
            lines[deviceID]?.removeFirst()
            return order
        }
    }
}
