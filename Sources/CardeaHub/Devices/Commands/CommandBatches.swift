import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Several commands submitted at once. Each passes the gate and is answered by itself; all of them are one commit.
public struct CommandBatches: Sendable {
    let commands: Commands
    let idempotency: IdempotencyStore

    /// The largest number of commands in one batch.
    public static let limit = 50

    /// One command of a batch, as it was submitted.
    public struct Item: Hashable, Sendable {
        public let deviceID: String
        public let entityID: String?
        public let action: String
        public let value: JSONValue?
        /// Seconds over which a light fades.
        public let transition: Double?

        public init(deviceID: String, entityID: String? = nil, action: String, value: JSONValue? = nil, transition: Double? = nil) {
            self.deviceID = deviceID
            self.entityID = entityID
            self.action = action
            self.value = value
            self.transition = transition
        }
    }

    public struct Outcome: Sendable {
        public let id: String
        public let results: [ItemResult]
        public let isReplay: Bool
    }

    public struct ItemResult: Sendable {
        public let deviceID: String
        public let entityID: String?
        public let action: String
        public let status: Status
    }

    public enum Status: Sendable {
        case command(Command)
        /// Not admitted; nothing was dispatched.
        case refused(CommandRefusal)
    }

    public enum BatchError: Error, Hashable {
        /// The batch is empty, or too large.
        case size
        /// Two items give one device the same action with different values.
        case contradiction(deviceID: String)
    }

    /// Admits the commands together. The admitted ones are durable when this returns.
    ///
    /// - Parameter arePreset: whether a scene or an automation decided them before. A white outside the lamp's range becomes
    ///   the nearest one then; otherwise it is refused.
    public func submit(
        _ items: [Item], by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin, arePreset: Bool = false
    ) async throws -> Outcome {
        guard (1...Self.limit).contains(items.count) else { throw BatchError.size }
        let parsed = try Self.parseDistinct(items)
        let admissions = parsed.map { parsedItem in
            let item = parsedItem.item
            return parsedItem.verb.map { verb in
                commands.makeAdmission(
                    of: CommandRequest(
                        principal: principal, target: .device(id: item.deviceID, entityID: item.entityID, verb: verb),
                        value: item.value, transition: item.transition, origin: origin, isPreset: arePreset))
            }
        }
        let id = "batch_" + commands.environment.newID()
        let now = commands.environment.now()
        return try await commands.admit { db in
            var admitted: [Command] = []
            let outcome = try idempotency.run(call, by: principal.key, at: now, in: db) { db in
                let lines = try zip(parsed, admissions).map { parsedItem, admission in
                    let outcome = try admission?.admit(db)
                    if let command = outcome?.admitted { admitted.append(command) }
                    return StoredItem(parsedItem.item, outcome)
                }
                return StoredBatch(id: id, lines: lines)
            }
            let results = try outcome.answer.lines.compactMap { line in try Self.result(line, admitted, db) }
            if outcome.isReplay, let open = results.lazy.compactMap(\.runningCommand).first {
                throw CommandRefusal.inFlight(commandID: open.id)
            }
            return (Outcome(id: outcome.answer.id, results: results, isReplay: outcome.isReplay), admitted)
        }
    }

    /// Waits until every command of the batch is resolved.
    public func outcome(of batch: Outcome) async throws -> Outcome {
        var results: [ItemResult] = []
        for result in batch.results {
            var status = result.status
            if case .command(let command) = status { status = .command(try await commands.outcome(of: command)) }
            results.append(
                ItemResult(deviceID: result.deviceID, entityID: result.entityID, action: result.action, status: status))
        }
        return Outcome(id: batch.id, results: results, isReplay: batch.isReplay)
    }

    // MARK: Repeated items

    private struct ParsedItem {
        let item: Item
        /// Nil for an action the house does not know.
        let verb: Verb?
    }

    private static func parseDistinct(_ items: [Item]) throws -> [ParsedItem] {
        var parsed: [ParsedItem] = []
        for item in items {
            let new = ParsedItem(item: item, verb: Verb(requested: item.action))
            let same = parsed.first { known in
                known.item.deviceID == item.deviceID && known.item.entityID == item.entityID && known.verb == new.verb
                    && (new.verb != nil || known.item.action == item.action)
            }
            guard let same else {
                parsed.append(new)
                continue
            }
            guard same.item.value == item.value, same.item.transition == item.transition else {
                throw BatchError.contradiction(deviceID: item.deviceID)
            }
        }
        return parsed
    }

    // MARK: Stored answers

    private struct StoredBatch: Codable, Sendable {
        let id: String
        let lines: [StoredItem]
    }

    private struct StoredItem: Codable, Sendable {
        let deviceID: String
        let entityID: String?
        let action: String
        var commandID: String?
        var refusal: CommandRefusal?

        init(_ item: Item, _ outcome: CommandAdmission.Outcome?) {
            deviceID = item.deviceID
            entityID = item.entityID
            action = item.action
            switch outcome {
            case .admitted(let command), .replay(let command): commandID = command.id
            case .refused(let refusal): self.refusal = refusal
            case .state, nil: refusal = .unknownAction(item.action)
            }
        }
    }

    private static func result(_ line: StoredItem, _ admitted: [Command], _ db: Database) throws -> ItemResult? {
        let status: Status
        if let refusal = line.refusal {
            status = .refused(refusal)
        } else if let id = line.commandID,
            let command = try admitted.first(where: { $0.id == id }) ?? CommandRecords.one(id, db)
        {
            status = .command(command)
        } else {
            return nil
        }
        return ItemResult(deviceID: line.deviceID, entityID: line.entityID, action: line.action, status: status)
    }
}

extension CommandBatches.ItemResult {
    /// The command, if it is neither resolved nor waiting for approval.
    fileprivate var runningCommand: Command? {
        if case .command(let command) = status, !command.status.isOver, !command.isAwaitingApproval { command } else { nil }
    }
}
