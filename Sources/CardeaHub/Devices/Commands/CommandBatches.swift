import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Several commands asked at once. Each passes the gate by itself and is answered by itself; all of them are one commit.
public struct CommandBatches: Sendable {
    let commands: Commands
    let once: IdempotencyStore

    /// More commands than this are not one wish.
    public static let limit = 50

    /// One thing asked of one device, as it came from outside.
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
        /// Not taken on; nothing was sent.
        case refused(CommandRefusal)
    }

    public enum BatchError: Error, Hashable {
        /// Nothing is asked, or too much.
        case size
        /// One thing is asked of one device in two ways.
        case contradiction(deviceID: String)
    }

    /// Takes the commands on together. Those that were taken on are durable when this returns.
    ///
    /// - Parameter areKept: that they were decided before, by a scene or an automation. Of a white beyond the lamp's the nearest is meant then;
    ///   asked for now, it is refused.
    public func submit(
        _ items: [Item], by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin, areKept: Bool = false
    ) async throws -> Outcome {
        guard (1...Self.limit).contains(items.count) else { throw BatchError.size }
        let wishes = try Self.parseDistinct(items)
        let admissions = wishes.map { wish in
            wish.verb.map { verb in
                commands.makeAdmission(
                    of: CommandRequest(
                        principal: principal, target: .device(id: wish.item.deviceID, entityID: wish.item.entityID, verb: verb),
                        value: wish.item.value, transition: wish.item.transition, origin: origin, isKept: areKept))
            }
        }
        let id = "batch_" + commands.environment.newID()
        let now = commands.environment.now()
        return try await commands.admit { db in
            var taken: [Command] = []
            let outcome = try once.run(call, by: principal.key, at: now, in: db) { db in
                let lines = try zip(wishes, admissions).map { wish, admission in
                    let outcome = try admission?.admit(db)
                    if let command = outcome?.admitted { taken.append(command) }
                    return StoredItem(wish.item, outcome)
                }
                return StoredBatch(id: id, lines: lines)
            }
            let results = try outcome.answer.lines.compactMap { line in try Self.result(line, taken, db) }
            if outcome.isReplay, let open = results.lazy.compactMap(\.runningCommand).first {
                throw CommandRefusal.inFlight(commandID: open.id)
            }
            return (Outcome(id: outcome.answer.id, results: results, isReplay: outcome.isReplay), taken)
        }
    }

    /// Waits until every command of the batch has ended.
    public func outcome(of batch: Outcome) async throws -> Outcome {
        var results: [ItemResult] = []
        for result in batch.results {
            var standing = result.status
            if case .command(let command) = standing { standing = .command(try await commands.outcome(of: command)) }
            results.append(
                ItemResult(deviceID: result.deviceID, entityID: result.entityID, action: result.action, status: standing))
        }
        return Outcome(id: batch.id, results: results, isReplay: batch.isReplay)
    }

    // MARK: What is asked twice

    private struct ParsedItem {
        let item: Item
        /// Nil for an action the house does not know.
        let verb: Verb?
    }

    private static func parseDistinct(_ items: [Item]) throws -> [ParsedItem] {
        var wishes: [ParsedItem] = []
        for item in items {
            let wish = ParsedItem(item: item, verb: Verb(asked: item.action))
            let same = wishes.first { known in
                known.item.deviceID == item.deviceID && known.item.entityID == item.entityID && known.verb == wish.verb
                    && (wish.verb != nil || known.item.action == item.action)
            }
            guard let same else {
                wishes.append(wish)
                continue
            }
            guard same.item.value == item.value, same.item.transition == item.transition else {
                throw BatchError.contradiction(deviceID: item.deviceID)
            }
        }
        return wishes
    }

    // MARK: What is kept under the caller's name

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

    private static func result(_ line: StoredItem, _ taken: [Command], _ db: Database) throws -> ItemResult? {
        let standing: Status
        if let refusal = line.refusal {
            standing = .refused(refusal)
        } else if let id = line.commandID,
            let command = try taken.first(where: { $0.id == id }) ?? CommandRecords.one(id, db)
        {
            standing = .command(command)
        } else {
            return nil
        }
        return ItemResult(deviceID: line.deviceID, entityID: line.entityID, action: line.action, status: standing)
    }
}

extension CommandBatches.ItemResult {
    /// The command, where it has not ended and nobody is being asked.
    fileprivate var runningCommand: Command? {
        if case .command(let command) = status, !command.status.isOver, !command.isAwaitingApproval { command } else { nil }
    }
}
