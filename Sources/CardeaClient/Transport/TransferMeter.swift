import Foundation
import Synchronization

/// Counts the bytes sent and received.
final class TransferMeter: Sendable {
    struct Totals: Sendable {
        var status: Int?
        var sent = 0
        var received: Int?
    }

    private let state = Mutex(Totals())

    var totals: Totals { state.withLock(\.self) }

    func sent(_ bytes: Int64) {
        state.withLock { $0.sent = Int(clamping: bytes) }
    }

    func received(_ part: ResponsePart) {
        state.withLock { state in
            switch part {
            case .head(let status, _): (state.status, state.received) = (status, 0)
            case .body(let bytes): state.received = (state.received ?? 0) + bytes.count
            }
        }
    }
}
