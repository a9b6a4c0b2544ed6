import CardeaHub
import CardeaModel
import CardeaStore
import Foundation

/// Measures the audit log's cost for a door: the same commands in a house that keeps it, and in one that drops its entries before they are
/// sealed.
///
/// The two houses run side by side and take turns, so that other load on the machine affects both.
enum AuditBenchmark {
    /// The duration of a sync on the reference disk, in microseconds.
    private static let sync: UInt32 = 4000

    static func run(_ report: inout Report) async throws {
        print("Door commands, with the audit trail and without")
        let slow = try await SlowDisk.waiting(microseconds: sync) { try await sideBySide(rounds: 12, presses: 25) }
        report.figure("with the audit trail, one caller, where a sync takes 4 ms", slow.with, "/s")
        report.figure("without", slow.without, "/s")
        report.ratio("door_commands_with_audit_to_without_where_a_sync_takes_4_ms", slow.with / slow.without)
        let fast = try await sideBySide(rounds: 60, presses: 50)
        report.figure("with the audit trail, one caller, on the disk here", fast.with, "/s")
        report.figure("without", fast.without, "/s")
        report.ratio("door_commands_with_audit_to_without", fast.with / fast.without)
    }

    /// Commands per second in each of the two houses.
    private static func sideBySide(rounds: Int, presses: Int) async throws -> (with: Double, without: Double) {
        try await DoorCommandBenchmark.inHouse(doors: 1) { kept, owner in
            try await DoorCommandBenchmark.inHouse(doors: 1) { dropped, other in
                dropped.store.beforeCommit { _, _ in }
                var (with, without) = ([Duration](), [Duration]())
                for round in 0..<rounds {
                    // Whichever runs first leaves its disk state to the other.
                    if round.isMultiple(of: 2) {
                        with.append(try await took(kept, owner, presses))
                        without.append(try await took(dropped, other, presses))
                    } else {
                        without.append(try await took(dropped, other, presses))
                        with.append(try await took(kept, owner, presses))
                    }
                }
                return (rate(of: presses, in: median(with)), rate(of: presses, in: median(without)))
            }
        }
    }

    private static func took(_ hub: Hub, _ owner: Principal, _ presses: Int) async throws -> Duration {
        try await ContinuousClock().measure { try await DoorCommandBenchmark.press(hub, "door-0", owner, times: presses) }
    }

    private static func median(_ durations: [Duration]) -> Duration { durations.sorted()[durations.count / 2] }
}
