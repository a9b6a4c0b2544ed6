import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation

/// The signed-in person's phones, and those that wait for confirmation.
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

    /// Removes one of the caller's phones. It is refused from its next request on.
    public func remove(_ id: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "mobile", "devices", .id(id)]))
    }

    /// Removes all of the caller's phones and returns their number; on a phone, only that phone.
    public func removeAll() async throws(ClientError) -> Int {
        let call = try APICall.write(
            .post, ["api", "v1", "mobile", "auth", "revoke"], RevokePhonesBody(revokeAll: true), key: caller.newIdempotencyKey)
        return try await caller.read(call, as: RevokedPhonesAnswer.self).revokedCount
    }

    /// The contents of a pairing QR code: the address of the house and the key that identifies it.
    public func invitation() async throws(ClientError) -> PhoneInvitationAnswer {
        try await caller.read(.get("api", "v1", "mobile", "auth", "invitation"))
    }

    /// The phones that wait to be confirmed. Their digits are on their screens alone.
    public func pending() async throws(ClientError) -> [WaitingPhoneAnswer] {
        try await caller.read(.get("api", "v1", "mobile", "auth", "pending"), as: WaitingPhonesAnswer.self).pairings
    }

    /// Confirms the phone that shows these digits for the signed-in person; requires a step-up. The person must see the digits on the phone
    /// itself: they must never come from a message or a call.
    public func confirm(_ digits: String) async throws(ClientError) -> ConfirmPhoneAnswer {
        guard let digits = PairingDigits.normalized(digits) else { throw .invalidRequest("a phone shows six digits") }
        return try await caller.read(.write(.post, ["api", "v1", "mobile", "auth", "confirm"], ConfirmPhoneBody(code: digits)))
    }

    /// Turns a phone away that waits.
    public func reject(_ pairingID: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "mobile", "auth", "pending", .id(pairingID)]))
    }
}
