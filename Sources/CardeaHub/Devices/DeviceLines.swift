import Synchronization

/// Orders in the order in which they are to reach each device: it is handed one at a time, and devices do not wait for each other.
final class DeviceLines: Sendable {
    private let lines = Mutex<[String: [DeviceOrder]]>([:])
    private let errands = AsyncStream<String>.makeStream()

    /// Devices whose line has just begun.
    var begun: AsyncStream<String> { errands.stream }

    /// No further line begins: `begun` ends with those that have.
    func close() { errands.continuation.finish() }

    func add(_ order: DeviceOrder) {
        let begins = lines.withLock { lines in
            defer { lines[order.deviceID, default: []].append(order) }
            return lines[order.deviceID] == nil
        }
        if begins { errands.continuation.yield(order.deviceID) }
    }

    /// The next order in a device's line; nil, and the line is over, when there is none.
    func next(for deviceID: String) -> DeviceOrder? {
        lines.withLock { lines in
            guard let order = lines[deviceID]?.first else {
                lines[deviceID] = nil
                return nil
            }
            lines[deviceID]?.removeFirst()
            return order
        }
    }
}
