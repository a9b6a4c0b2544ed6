import CardeaAPI
import CardeaClient

/// Answering a guest who waits, whatever they wait for.
struct GuestAsk {
    private let client: CardeaClient

    init(_ client: CardeaClient) {
        self.client = client
    }

    /// Says it to the guest's oldest question before a door; where there is none, to the phone that asks for the pass.
    ///
    /// - Parameter number: the four digits of the phone that is meant.
    func answer(yes: Bool, for guestID: String, number: String? = nil) async throws -> GuestAnswer {
        if let number { return try await client.guests.answer(phone: number, of: guestID, yes: yes) }
        let waiting = try await client.access.asks().asks.filter { $0.guestID == guestID && $0.kind == "command" }
        if let command = waiting.min(by: { $0.askedAt < $1.askedAt })?.commandID {
            try await client.access.answer(command: command, yes: yes)
            return try await client.guests.one(guestID)
        }
        return try await client.guests.decide(yes ? .approve : .reject, about: guestID)
    }
}
