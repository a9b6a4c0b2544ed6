import CardeaClient
import CardeaHub
import CardeaTestSupport

/// Counts the outcomes of calls over a bad connection, and judges them by the devices' commands.
struct CallOutcomeTally: Sendable {
    enum Kind: String, CaseIterable { case look, command, write, renewal }

    enum Outcome: Hashable {
        /// With the right answer.
        case right
        /// The outcome was unknown; a repetition with the same key was done.
        case inDoubt
        case wrong(String)
        case failed(ClientError)
    }

    struct Count {
        var calls = 0
        /// Of them, those that met a fault; and those that failed without one, as after many faults before.
        var met = 0
        /// Of these, those that ended with the right answer all the same.
        var recovered = 0
        var inDoubt = 0
        var right = 0
    }

    private(set) var counts: [Kind: Count] = [:]
    /// Descriptions of the calls that failed.
    private(set) var failures: [String] = []
    var doorCommands = 0
    private var lightCommands: [Int: Outcome] = [:]
    var faults: [FaultProxy.Fault: Int] = [:]
    /// Commands that a device got twice, and requests that were done twice.
    private(set) var duplicates: [String] = []
    /// Requests reported as done that were not.
    private(set) var lost: [Int] = []

    mutating func record(_ kind: Kind, _ ending: Outcome, _ trace: String, hasMetFault: Bool) {
        var count = counts[kind, default: Count()]
        count.calls += 1
        count.right += ending == .right ? 1 : 0
        count.inDoubt += ending == .inDoubt ? 1 : 0
        if hasMetFault || ending != .right {
            count.met += 1
            count.recovered += ending == .right ? 1 : 0
        }
        counts[kind] = count
        if ending != .right, ending != .inDoubt { failures.append("\(kind): \(ending) after \(trace)") }
    }

    mutating func recordLightCommand(_ number: Int, _ ending: Outcome) { lightCommands[number] = ending }

    /// Compares the commands that the devices received with the recorded outcomes.
    mutating func verify(_ backendCommands: [BackendCommand]) {
        let commands = backendCommands.reduce(into: [:]) { $0[$1.commandID, default: 0] += 1 }
        duplicates += commands.filter { $0.value > 1 }.keys.map { "command \($0)" }
        let heard = backendCommands.compactMap { $0.transition.map { Int(($0 * 1000).rounded()) } }.reduce(into: [:]) {
            $0[$1, default: 0] += 1
        }
        duplicates += heard.filter { $0.value > 1 }.keys.map { "wish \($0)" }
        lost = lightCommands.filter { [.right, .inDoubt].contains($0.value) && heard[$0.key] == nil }.keys.sorted()
        let doors = backendCommands.count { $0.transition == nil }
        if doors > doorCommands { duplicates.append("\(doors) movements of doors for \(doorCommands) wishes") }
    }

    /// Counts of several runs as if they were one.
    mutating func add(_ other: CallOutcomeTally) {
        counts.merge(other.counts) { $0.with($1) }
        failures += other.failures
        faults.merge(other.faults, uniquingKeysWith: +)
        duplicates += other.duplicates
        lost += other.lost
    }

    var all: Count {
        counts.values.reduce(Count()) { $0.with($1) }
    }
}

extension CallOutcomeTally.Count {
    fileprivate func with(_ other: Self) -> Self {
        Self(
            calls: calls + other.calls, met: met + other.met, recovered: recovered + other.recovered, inDoubt: inDoubt + other.inDoubt,
            right: right + other.right)
    }

    /// Of the calls that met a fault, the part that ended with the right answer.
    var recovery: Double { met == 0 ? 1 : Double(recovered) / Double(met) }
    var success: Double { calls == 0 ? 1 : Double(right) / Double(calls) }
}
