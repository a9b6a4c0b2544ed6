import CardeaHub
import CardeaModel
import CardeaStore
import Foundation

/// What the audit trail costs a door: the same commands in a house that keeps it, and in one whose entries are dropped before they are sealed.
///
/// The two stand side by side and take turns, so that what else the machine does falls on both.
enum AuditBenchmark {
    private static let rounds = 60
    private static let presses = 50

    static func run(_ report: inout Report) async throws {
        print("Door commands, with the audit trail and without")
        let (with, without) = try await DoorBenchmark.inHouse(doors: 1) { kept, owner in
            try await DoorBenchmark.inHouse(doors: 1) { dropped, other in
                dropped.store.beforeCommit { _, _ in }
                var (with, without) = ([Duration](), [Duration]())
                for round in 0..<rounds {
                    // Whoever goes first finds the disk as the other left it.
                    if round.isMultiple(of: 2) {
                        with.append(try await took(kept, owner))
                        without.append(try await took(dropped, other))
                    } else {
                        without.append(try await took(dropped, other))
                        with.append(try await took(kept, owner))
                    }
                }
                return (median(with), median(without))
            }
        }
        report.figure("with the audit trail, one caller", rate(of: presses, in: with), "/s")
        report.figure("without", rate(of: presses, in: without), "/s")
        report.ratio("door_commands_with_audit_to_without", without / with)
    }

    private static func took(_ hub: Hub, _ owner: Principal) async throws -> Duration {
        try await ContinuousClock().measure { try await DoorBenchmark.press(hub, "door-0", owner, times: presses) }
    }

    private static func median(_ durations: [Duration]) -> Duration { durations.sorted()[durations.count / 2] }
}
