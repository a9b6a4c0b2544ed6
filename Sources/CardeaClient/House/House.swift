import CardeaAPI
import Foundation

/// The house itself.
public struct House: Sendable {
    let caller: AuthenticatedClient

    public func get() async throws(ClientError) -> HouseAnswer {
        try await caller.read(.get("api", "v1", "house"))
    }

    /// Changes the house's name, time zone or preferences; fields that are left out stay.
    ///
    /// - Parameter seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    public func change(_ body: ChangeHouseBody, seen: Int? = nil) async throws(ClientError) -> HouseAnswer {
        var call = try APICall.write(.put, ["api", "v1", "house"], body, key: caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// The certificate by which clients recognise the hub.
    public func certificate() async throws(ClientError) -> CertificateAnswer {
        try await caller.read(.get("api", "v1", "house", "certificate"))
    }

    /// The health of the hub; needs no session.
    public func health() async throws(ClientError) -> Health {
        var call = APICall.get("readyz")
        call.timeout = .seconds(5)
        let response = try await caller.pipeline.send(call, bearer: nil)
        guard !response.isSuccess else { return .ready }
        let error = APIError(response)
        let plain = String(decoding: response.body.prefix(300), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return .notReady(!error.isFromHub && !plain.isEmpty ? plain : error.message)
    }

    public enum Health: Hashable, Sendable {
        case ready
        /// It runs, and gives the reason why it does not serve yet.
        case notReady(String)
    }
}
