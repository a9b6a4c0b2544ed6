import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// What was asked of the hub's house, and who may ask, in the mind's own words. It only reads.
extension HouseSenses: HouseRecords {
    public func askings(of deviceID: String?, since: Date) async throws -> [Asking] {
        try await insight.commands(of: deviceID, since: since).map { command in
            Asking(
                deviceID: command.deviceID, entityID: command.entityID, verb: command.verb, value: command.value, status: command.status,
                actor: command.principal, at: command.acceptedAt)
        }
    }

    public func replay(since: Date) async throws -> Replay {
        let dealings = try await insight.dealings(since: since)
        let attempts = dealings.attempts.map { attempt in
            Replay.Attempt(
                id: attempt.source, at: attempt.at, endedAt: attempt.endedAt, actor: attempt.who, deviceID: attempt.deviceID,
                entityID: attempt.entityID, verb: attempt.verb, status: attempt.status, refusal: attempt.refusal, isLocal: attempt.isLocal,
                wasReturned: attempt.wasReturned)
        }
        var uses: [String: Int] = [:]
        for (key, holdings) in dealings.holdings where key.hasPrefix("guest:") {
            uses[key] = holdings.last.flatMap { Replay.usesBefore(now: $0.value.useCount, of: key, in: attempts) }
        }
        let grants = dealings.holdings.mapValues { holdings in
            Replay.Past(steps: holdings.map { Replay.Past.Step(from: $0.from, value: $0.value) })
        }
        let devices = dealings.devices.mapValues { steps in
            Replay.Past(steps: steps.map { Replay.Past.Step(from: $0.from, value: $0.value) })
        }
        return Replay(
            attempts, under: Replay.Rules(zone: dealings.zone, grants: grants, usesBefore: uses, devices: devices), since: dealings.since)
    }
}
