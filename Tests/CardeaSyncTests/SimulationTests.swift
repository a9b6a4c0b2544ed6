import CardeaTestSupport
import Foundation
import Testing

@Suite("Simulated failures", .timeLimit(.minutes(60)))
struct SimulationTests {
    /// 100 000 in `make chaos`; the same seed gives the same run.
    private static let operations = TestRepetitions.of(500, full: 2000, variable: "CARDEA_SIMULATED_OPERATIONS")

    private func run(_ plan: Simulation.Plan) async throws -> ExactlyOnceChecker {
        try await withFile { file in
            let simulation = try Simulation(plan, folder: file.deletingLastPathComponent())
            try await simulation.run()
            return await simulation.judge
        }
    }

    @Test(
        "With five phones, lost connections, crashes and clock errors each accepted command runs once or is reported as failed")
    func exactlyOnce() async throws {
        let seed = TestSeed.value(20_261_122)
        let judge = try await run(.init(seed: seed, operations: Self.operations))
        #expect(judge.duplicates == [], "seed \(seed)")
        #expect(judge.losses == [], "seed \(seed)")
        #expect(judge.done == [], "refused or too late, and done; seed \(seed)")
        #expect(judge.outOfOrder == [], "seed \(seed)")
        #expect(judge.queuedDoors == 0 && judge.waiting == 0, "seed \(seed)")
        // The run was worth it: many operations were done, queued, refused and uncertain.
        #expect(
            judge.heard.count > Self.operations / 5 && judge.conflicts > 0 && !judge.unsure.isEmpty && judge.refusedDoors > 0,
            "seed \(seed)")
        let queued = judge.acknowledged.count { if case .queue = $0.value { true } else { false } }
        #expect(queued > Self.operations / 20, "seed \(seed)")
        print(
            "simulated \(Self.operations): \(judge.heard.count) done, \(queued) queued, \(judge.unsure.count) in doubt, \(judge.conflicts) conflicts"
        )
    }

    /// Returns whether the checker finds the injected defect within a few runs: 200 operations do not always meet it.
    private func sees(_ sabotage: Simulation.InjectedDefect, _ found: (ExactlyOnceChecker) -> [Int]) async throws -> Bool {
        for seed in TestSeed.values(7..<15 as Range<UInt64>) {
            let judge = try await run(.init(seed: seed, operations: 200, sabotage: sabotage))
            if !found(judge).isEmpty { return true }
        }
        return false
    }

    @Test("The checker detects commands repeated with a new key per attempt")
    func freshNames() async throws {
        #expect(try await sees(.freshNames) { $0.duplicates })
    }

    @Test("The checker detects commands lost by an early acknowledgement")
    func earlyAcknowledgement() async throws {
        #expect(try await sees(.answersBeforeCommit) { $0.losses })
    }
}
