import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

/// An entry of the queue in words.
struct QueueEntryText {
    private let clock: HouseClock
    private let entry: OutboxEntry

    init(_ clock: HouseClock, _ entry: OutboxEntry) {
        self.clock = clock
        self.entry = entry
    }

    var summary: String {
        switch entry.operation {
        case .control(let control):
            return [control.name, control.action.replacingOccurrences(of: "_", with: " "), Self.text(control.value)].compactMap { $0 }
                .joined(separator: " ")
        case .edit(let edit):
            return "\(edit.name): change the \(edit.subject.kind.rawValue)"
        case .scene(.make(let body)):
            return "\(body.name): make the scene"
        case .scene(.remove(_, _, let name)):
            return "\(name): remove the scene"
        case .memory:
            return "\(entry.operation.name): add the memory"
        case .request(let request):
            return "\(entry.operation.name): \(Self.requestText(request))"
        case .question(let words):
            return "asked: \(words)"
        case .withdrawal(let withdrawal):
            return withdrawal.kind == .revoke ? "\(withdrawal.name): revoke the pass" : "\(withdrawal.name): suspend the pass"
        }
    }

    var until: String { entry.notAfter.map(clock.short) ?? "it is sent" }

    var status: String {
        switch entry.status {
        case .waiting where entry.tries > 0: "waits, tried \(entry.tries) of \(OutboxEntry.attemptLimit) times"
        case .waiting: isInvitation ? "waits; you may need `cardea step-up` first" : "waits"
        case .sent: "sent, no answer yet"
        case .ended(let ending): "\(Self.endingText(ending.kind)): \(ending.reason)"
        }
    }

    private var isInvitation: Bool { if case .request(.invite) = entry.operation { true } else { false } }

    private static func requestText(_ request: OutboxOperation.Request) -> String {
        switch request {
        case .invite: "make the pass"
        case .changeMemory: "change the memory"
        case .forgetMemory: "forget the memory"
        case .addTask: "add the task"
        case .completeTask: "mark the task as done"
        case .removeTask: "remove the task"
        case .deleteEvent: "delete the event"
        case .makeTwin: "make the twin"
        case .removeTwin: "remove the twin"
        case .switchOff: "switch the automation off"
        case .removeAutomation: "remove the automation"
        case .revokeToken: "revoke the token"
        case .revokeWebhook: "revoke the webhook"
        case .tellInterview: "send the interview message"
        }
    }

    /// The kind of ending, in a word or two.
    private static func endingText(_ kind: OutboxOutcome.Kind) -> String {
        switch kind {
        case .expired: "expired"
        case .refused: "refused"
        case .unknown: "outcome unknown"
        case .answered: "answered late"
        }
    }

    static func text(_ value: JSONValue?) -> String? {
        switch value {
        case nil, .null?: nil
        case .string(let text)?: text
        case .number(let number)?: StateText.number(number)
        case .some(let value): (try? CanonicalJSON.encode(value)) ?? nil
        }
    }
}

extension CommandContext {
    /// Sends a request to the house; if it cannot be reached, queues the request and says so.
    ///
    /// - Parameters:
    ///   - waiting: the message for a queued request.
    ///   - call: makes the call, with the given idempotency key, if any.
    func sendOrQueue<Answer: Encodable & Sendable>(
        _ request: OutboxOperation.Request, waiting: String, by call: @Sendable (CardeaClient, String?) async throws -> Answer,
        text: (Answer) throws -> String
    ) async throws {
        let client = try client()
        guard let replica = try await replicaIfAvailable(of: client) else {
            let answer = try await call(client, nil)
            return try await output.show(answer) { try text(answer) }
        }
        do {
            switch try await replica.submit(request, call) {
            case .done(let answer): try await output.show(answer) { try text(answer) }
            case .queued(let entry): try await showQueued(entry) { waiting }
            }
        } catch let refusal as OfflineQueueError {
            throw CommandLineError(refusal)
        }
    }

    /// Reports that an operation is queued here for the house.
    func showQueued(_ entry: OutboxEntry, _ words: () -> String) async throws {
        try await output.show(QueuedAnswer(queued: QueueEntryAnswer(entry))) {
            "The house cannot be reached. \(words()) `cardea queue` lists queued changes."
        }
    }
}
