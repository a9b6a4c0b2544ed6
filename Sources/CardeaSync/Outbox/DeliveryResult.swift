import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// The result of sending one operation to the house.
enum DeliveryResult: Sendable {
    /// Done; for things that people edit, the present version.
    case done(ReplicaDocument?)
    /// A question was answered in these words.
    case answered(String)
    /// It never will be done, or the outcome stays unknown.
    case failed(OutboxOutcome)
    /// The thing was changed elsewhere meanwhile: its present version.
    case conflict(JSONValue)
    /// The house answered that it cannot do this now, with its message.
    ///
    /// `didNothing` is true if the house itself says that it has done none of it.
    case retryLater(String, didNothing: Bool)
    /// The house requires a step-up first. It has done nothing.
    case stepUpRequired
    /// The answer was lost on the way.
    case lost
    /// A gateway answered in the house's place. It cannot reach the house now, but the house may have received this request.
    case gatewayFailure(ClientError)
    /// The house certainly received nothing, and will not receive the next operation either.
    case unreachable(ClientError)
}

extension DeliveryResult {
    /// Sends the operation, with its id as the idempotency key.
    static func deliver(_ entry: OutboxEntry, by client: CardeaClient) async -> DeliveryResult {
        do throws(ClientError) {
            switch entry.operation {
            case .control(let control): return try await deliver(control, as: entry.id, by: client)
            case .edit(let edit): return .done(try await deliver(edit, as: entry.id, by: client))
            case .withdrawal(let withdrawal):
                _ = try await client.guests.decide(withdrawal.kind.decision, about: withdrawal.guestID, key: entry.id)
                return .done(nil)
            case .scene(.make(let body)): return .done(try await deliver(body, as: entry.id, by: client))
            case .scene(.remove(let id, let seen, _)):
                try await client.scenes.remove(id, seen: seen, key: entry.id)
                return .done(nil)
            case .memory(let body):
                _ = try await client.mind.memories.remember(body, key: entry.id)
                return .done(nil)
            case .request(let request):
                try await request.deliver(as: entry.id, by: client)
                return .done(nil)
            case .question(let words):
                return .answered(try await client.mind.ask(words, askedAt: entry.madeAt, key: entry.id).response)
            }
        } catch {
            // Deleting a thing that does not exist is done.
            if entry.operation.removesResource, case .api(let answer) = error, answer.status == 404 { return .done(nil) }
            // Only a person can do a step-up; until then a prepared pass waits.
            if case .request(.invite) = entry.operation, case .api(let answer) = error, answer.code == "step_up_required" {
                return .stepUpRequired
            }
            return DeliveryResult(error)
        }
    }

    private static func deliver(_ control: OutboxOperation.Control, as key: String, by client: CardeaClient) async throws(ClientError)
        -> DeliveryResult
    {
        let command = DeviceCommand(
            control.deviceID, control.action, entityID: control.entityID, value: control.value, transitionTime: control.transitionTime,
            key: key)
        let outcome: CommandOutcome
        do {
            outcome = CommandOutcome(try await client.devices.submit(command))
        } catch {
            if case .api(let answer) = error, answer.isGatewayFailure { throw error }
            outcome = try CommandOutcome(losing: error)
        }
        switch outcome {
        case .confirmed, .waiting: return .done(nil)
        case .failed(let command, let error): return .failed(OutboxOutcome(.refused, command?.reason ?? error.message))
        case .expired: return .failed(OutboxOutcome(.refused, "The command expired before it was sent."))
        case .unknown(nil): return .lost
        case .unknown: return .failed(OutboxOutcome(.unknown, "The device has not answered."))
        }
    }

    private static func deliver(_ edit: OutboxOperation.Edit, as key: String, by client: CardeaClient) async throws(ClientError)
        -> ReplicaDocument?
    {
        do {
            switch edit.change {
            case .room(let id, let body):
                return try ReplicaDocument(.room, id, await client.rooms.replace(id, body, seen: edit.seen, key: key))
            case .scene(let id, let body):
                return try ReplicaDocument(.scene, id, await client.scenes.replace(id, body, seen: edit.seen, key: key))
            case .device(let id, let body):
                return try ReplicaDocument(.device, id, await client.devices.change(id, body, seen: edit.seen, key: key))
            }
        } catch let error as ClientError {
            throw error
        } catch {
            // It was done; only the present version must be read again.
            return nil
        }
    }

    private static func deliver(_ body: SceneBody, as key: String, by client: CardeaClient) async throws(ClientError) -> ReplicaDocument? {
        let made = try await client.scenes.create(body, key: key)
        do { return try ReplicaDocument(.scene, made.sceneID, made) } catch { return nil }
    }

    private init(_ error: ClientError) {
        switch error {
        case .noConnection, .untrusted, .circuitOpen, .unauthorized, .insecureConnection, .invalidURL, .storage: self = .unreachable(error)
        case .interrupted, .timeout, .cancelled, .invalidResponse: self = .lost
        case .invalidRequest(let what): self = .failed(OutboxOutcome(.refused, "It cannot be sent: \(what)."))
        case _ where error.isPersonErased: self = .unreachable(error)
        case .api(let answer) where answer.status == 412: self = .conflict(answer.details["current"] ?? .null)
        case .api(let answer) where answer.isGatewayFailure: self = .gatewayFailure(error)
        case .api(let answer) where answer.isRetryable || answer.status >= 500:
            self = .retryLater(answer.message, didNothing: [429, 503, 507].contains(answer.status) && answer.isFromHub)
        case .api(let answer): self = .failed(OutboxOutcome(.refused, answer.message))
        }
    }
}

extension OutboxOperation {
    /// True if the operation deletes a thing.
    fileprivate var removesResource: Bool {
        switch self {
        case .scene(.remove): true
        case .request(let request): request.removesResource
        case .control, .edit, .withdrawal, .scene(.make), .memory, .question: false
        }
    }
}
