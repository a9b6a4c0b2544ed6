import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

extension OutboxOperation {
    /// A request that may wait for the house. None of them opens anything: a pass that is made late gives its code to no one, and the
    /// others remove something or edit texts and settings.
    public enum Request: Codable, Sendable {
        /// Creates a pass. Its code is not stored here; a new one is requested from the house.
        case invite(InviteGuestBody)
        case changeMemory(id: String, ChangeMemoryBody, seen: Int?)
        case forgetMemory(id: String)
        case addTask(MaintenanceBody)
        case completeTask(id: String, CompleteMaintenanceBody, seen: Int, name: String)
        case removeTask(id: String, seen: Int, name: String)
        case deleteEvent(id: String, name: String)
        case makeTwin(TwinBody)
        case removeTwin(id: String, name: String)
        /// Switches an automation off; `body` is the automation with that change.
        case switchOff(id: String, AutomationBody, seen: Int)
        case removeAutomation(id: String, seen: Int, name: String)
        case revokeToken(id: String, name: String)
        case revokeWebhook(id: String, name: String)
        /// Sends a message in the open interview, or in a new one.
        case tellInterview(String)
    }
}

extension OutboxOperation.Request {
    var subject: (kind: ReplicaDocumentKind, id: String) {
        switch self {
        case .invite(let body): (.guest, "new/\(body.name)")
        case .changeMemory(let id, _, _), .forgetMemory(let id): (.memory, id)
        case .addTask(let body): (.task, "new/\(body.title)")
        case .completeTask(let id, _, _, _), .removeTask(let id, _, _): (.task, id)
        case .deleteEvent(let id, _): (.event, id)
        case .makeTwin(let body): (.twin, body.deviceID)
        case .removeTwin(let id, _): (.twin, id)
        case .switchOff(let id, _, _), .removeAutomation(let id, _, _): (.automation, id)
        case .revokeToken(let id, _): (.token, id)
        case .revokeWebhook(let id, _): (.webhook, id)
        case .tellInterview: (.interview, "open")
        }
    }

    var name: String {
        switch self {
        case .invite(let body): body.name
        case .changeMemory(let id, let body, _): body.content.map { String($0.prefix(60)) } ?? id
        case .forgetMemory(let id): id
        case .addTask(let body): body.title
        case .completeTask(_, _, _, let name), .removeTask(_, _, let name), .deleteEvent(_, let name), .removeTwin(_, let name),
            .removeAutomation(_, _, let name), .revokeToken(_, let name), .revokeWebhook(_, let name):
            name
        case .makeTwin(let body): body.config?.name ?? body.deviceID
        case .switchOff(_, let body, _): body.name
        case .tellInterview(let words): String(words.prefix(60))
        }
    }

    /// One word for the request, such as `invite`.
    public var verb: String {
        switch self {
        case .invite: "invite"
        case .changeMemory: "edit"
        case .forgetMemory: "forget"
        case .addTask: "add"
        case .completeTask: "complete"
        case .removeTask, .removeTwin, .removeAutomation: "remove"
        case .deleteEvent: "delete"
        case .makeTwin: "make"
        case .switchOff: "off"
        case .revokeToken, .revokeWebhook: "revoke"
        case .tellInterview: "tell"
        }
    }

    /// True if it ends a right: it is sent before all others, and never expires.
    var revokesAccess: Bool {
        switch self {
        case .revokeToken, .revokeWebhook: true
        default: false
        }
    }

    /// True if the operation deletes a thing. A thing that does not exist is already deleted.
    var removesResource: Bool {
        switch self {
        case .forgetMemory, .removeTask, .deleteEvent, .removeTwin, .removeAutomation, .revokeToken, .revokeWebhook: true
        case .invite, .changeMemory, .addTask, .completeTask, .makeTwin, .switchOff, .tellInterview: false
        }
    }

    /// Seconds for which it waits: as long as the house knows a request by its key, so that nothing is done twice, and no pass longer than
    /// it would be good. Nil if it has no end.
    func lifetime(at now: Date) -> TimeInterval? {
        switch self {
        case .invite(let body): min(Self.day, max(0, body.expiresAt.timeIntervalSince(now)))
        case .revokeToken, .revokeWebhook: nil
        default: Self.day
        }
    }

    private static let day: TimeInterval = 24 * 3600

    /// Sends the request with `key` as the idempotency key.
    func deliver(as key: String, by client: CardeaClient) async throws(ClientError) {
        switch self {
        case .invite(let body): _ = try await client.guests.invite(body, key: key)
        case .changeMemory(let id, let body, let seen): _ = try await client.mind.memories.change(id, body, seen: seen, key: key)
        case .forgetMemory(let id): try await client.mind.memories.remove(id, key: key)
        case .addTask(let body): _ = try await client.maintenance.add(body, key: key)
        case .completeTask(let id, let body, let seen, _): _ = try await client.maintenance.complete(id, body, seen: seen, key: key)
        case .removeTask(let id, let seen, _): try await client.maintenance.remove(id, seen: seen, key: key)
        case .deleteEvent(let id, _): try await client.events.remove(id, key: key)
        case .makeTwin(let body): _ = try await client.twins.create(body, key: key)
        case .removeTwin(let id, _): try await client.twins.remove(id, key: key)
        case .switchOff(let id, let body, let seen): _ = try await client.automations.replace(id, body, seen: seen, key: key)
        case .removeAutomation(let id, let seen, _): try await client.automations.remove(id, seen: seen, key: key)
        case .revokeToken(let id, _): try await client.apiTokens.revoke(id, key: key)
        case .revokeWebhook(let id, _): try await client.webhooks.revoke(id, key: key)
        case .tellInterview(let words):
            let begun = try await client.interviews.start(key: "\(key)-start")
            _ = try await client.interviews.sendMessage(words, to: begun.interviewID, key: key)
        }
    }
}

extension Replica {
    public enum RequestResult<Answer: Sendable>: Sendable {
        /// The house has done it.
        case done(Answer)
        /// It waits here, and is sent when the house can be reached.
        case queued(OutboxEntry)
    }

    /// Sends a request; if the house cannot be reached, queues it.
    ///
    /// - Parameter ask: makes the call, with the given idempotency key.
    public func submit<Answer: Sendable>(
        _ request: OutboxOperation.Request, _ ask: @Sendable (CardeaClient, String) async throws -> Answer
    ) async throws -> RequestResult<Answer> {
        let key = environment.makeIdempotencyKey()
        do {
            return .done(try await ask(client, key))
        } catch let error as ClientError where error.isNoConnection {
            return .queued(
                try await add(
                    key, .request(request), lasts: request.lifetime(at: environment.now()), isNext: request.revokesAccess))
        }
    }
}
