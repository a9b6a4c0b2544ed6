import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// Reads past commands and rights from the hub and translates them into the mind's types. It only reads.
extension HubHouseReader: CommandHistoryReader {
    public func commands(of deviceID: String?, since: Date) async throws -> [RecordedCommand] {
        try await feed.commands(of: deviceID, since: since).map { command in
            RecordedCommand(
                deviceID: command.deviceID, entityID: command.entityID, verb: command.verb, value: command.value, status: command.status,
                actor: command.principal, at: command.acceptedAt)
        }
    }

    public func replay(since: Date) async throws -> AccessReplay {
        let dealings = try await feed.accessHistory(since: since)
        let attempts = dealings.attempts.map { attempt in
            AccessReplay.Attempt(
                id: attempt.source, at: attempt.at, endedAt: attempt.endedAt, actor: attempt.who, deviceID: attempt.deviceID,
                entityID: attempt.entityID, verb: attempt.verb, status: attempt.status, refusal: attempt.refusal, isLocal: attempt.isLocal,
                wasReturned: attempt.wasReturned)
        }
        var uses: [String: Int] = [:]
        for (key, holdings) in dealings.grants where key.hasPrefix("guest:") {
            uses[key] = holdings.last.flatMap { AccessReplay.usesBefore(now: $0.value.useCount, of: key, in: attempts) }
        }
        let grants = dealings.grants.mapValues { holdings in
            AccessReplay.Timeline(steps: holdings.map { AccessReplay.Timeline.Step(from: $0.from, value: $0.value) })
        }
        let devices = dealings.devices.mapValues { steps in
            AccessReplay.Timeline(steps: steps.map { AccessReplay.Timeline.Step(from: $0.from, value: $0.value) })
        }
        return AccessReplay(
            attempts, under: AccessReplay.Rules(zone: dealings.zone, grants: grants, usesBefore: uses, devices: devices),
            since: dealings.since)
    }
}
