import CardeaAPI
import CardeaClient
import CardeaModel

/// Answering a guest who waits, whatever they wait for.
struct ApprovalResponder {
    private let client: CardeaClient

    init(_ client: CardeaClient) {
        self.client = client
    }

    /// The answered request: with its pass, or the request alone for a person who may not see passes.
    enum Outcome {
        case pass(GuestAnswer)
        case request(AskAnswer)

        func show(in output: Output, _ word: String) async throws {
            switch self {
            case .pass(let guest): try await output.show(guest) { "\(word) \(guest.name)." }
            case .request(let ask): try await output.show(ask) { "\(word) \(ask.guestName)." }
            }
        }
    }

    /// Answers the guest's oldest request at a door; if there is none, the phone that requests the pass.
    ///
    /// - Parameters:
    ///   - name: the guest, by id or whole name.
    ///   - number: the four digits of the phone.
    ///   - command: the name of this command, for messages.
    func answer(yes: Bool, to name: String, number: String?, by command: String) async throws -> Outcome {
        guard try await client.people.me().permissions.contains(.inviteGuests) else {
            let ask = try await oldestRequest(of: name, by: command)
            if let id = ask.commandID { try await client.access.answerApproval(command: id, yes: yes) }
            return .request(ask)
        }
        return .pass(try await answer(yes: yes, for: try await client.guest(name, exactly: command).guestID, number: number))
    }

    private func answer(yes: Bool, for guestID: String, number: String?) async throws -> GuestAnswer {
        if let number { return try await client.guests.answerPhone(phone: number, of: guestID, yes: yes) }
        let waiting = try await client.access.pendingApprovals().asks.filter { $0.guestID == guestID && $0.kind == "command" }
        if let command = waiting.min(by: { $0.askedAt < $1.askedAt })?.commandID {
            try await client.access.answerApproval(command: command, yes: yes)
            return try await client.guests.get(guestID)
        }
        return try await client.guests.decide(yes ? .approve : .reject, about: guestID)
    }

    /// The oldest request of a guest, for a person who answers at doors and sees no passes.
    private func oldestRequest(of name: String, by command: String) async throws -> AskAnswer {
        let waiting = try await client.access.pendingApprovals().asks.filter { $0.kind == "command" }.sorted { $0.askedAt < $1.askedAt }
        let oldest = waiting.reduce(into: [AskAnswer]()) { found, ask in
            if !found.contains(where: { $0.guestID == ask.guestID }) { found.append(ask) }
        }
        return try NameResolver.resolve(name, among: oldest, what: "guest", ids: { [$0.guestID] }, name: \.guestName, exactly: command)
    }
}
