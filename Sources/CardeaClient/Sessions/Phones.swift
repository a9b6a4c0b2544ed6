import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation

/// The phones that act for whoever is signed in, and those that wait to.
public struct Phones: Sendable {
    let caller: AuthenticatedClient

    /// One's own phones, the last paired first.
    public func list() async throws(ClientError) -> [PhoneAnswer] {
        try await caller.read(.get("api", "v1", "mobile", "devices"), as: PhonesAnswer.self).devices
    }

    public func rename(_ id: String, to name: String) async throws(ClientError) -> PhoneAnswer {
        let body = RenamePhoneBody(deviceName: name)
        return try await caller.read(.write(.patch, ["api", "v1", "mobile", "devices", .id(id)], body, key: caller.newIdempotencyKey))
    }

    /// Takes a phone of one's own off. It is refused from its next request on.
    public func remove(_ id: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "mobile", "devices", .id(id)]))
    }

    /// Takes all of one's own phones off, and says how many; on a phone, that phone alone.
    public func removeAll() async throws(ClientError) -> Int {
        let call = try APICall.write(
            .post, ["api", "v1", "mobile", "auth", "revoke"], RevokePhonesBody(revokeAll: true), key: caller.newIdempotencyKey)
        return try await caller.read(call, as: RevokedPhonesAnswer.self).revokedCount
    }

    /// Where a phone finds the house, and by which key it knows it: what a QR says.
    public func invitation() async throws(ClientError) -> PhoneInvitationAnswer {
        try await caller.read(.get("api", "v1", "mobile", "auth", "invitation"))
    }

    /// The phones that wait to be confirmed. Their digits are on their screens alone.
    public func pending() async throws(ClientError) -> [WaitingPhoneAnswer] {
        try await caller.read(.get("api", "v1", "mobile", "auth", "pending"), as: WaitingPhonesAnswer.self).pairings
    }

    /// Lets the phone that shows these digits act for whoever is signed in; asks for a step-up. Whoever types them has seen the phone: they
    /// are never to be taken from a message or a call.
    public func confirm(_ digits: String) async throws(ClientError) -> ConfirmPhoneAnswer {
        guard let digits = PairingDigits.normalized(digits) else { throw .invalidRequest("a phone shows six digits") }
        return try await caller.read(.write(.post, ["api", "v1", "mobile", "auth", "confirm"], ConfirmPhoneBody(code: digits)))
    }

    /// Turns a phone away that waits.
    public func reject(_ pairingID: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "mobile", "auth", "pending", .id(pairingID)]))
    }
}
