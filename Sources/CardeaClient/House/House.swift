import CardeaAPI
import Foundation

/// The house itself.
public struct House: Sendable {
    let caller: AuthenticatedClient

    public func get() async throws(ClientError) -> HouseAnswer {
        try await caller.read(.get("api", "v1", "house"))
    }

    /// Changes what the house is called, its time zone, or what it prefers; what is left out stays.
    ///
    /// - Parameter seen: the version it was when somebody decided; refused with `precondition_failed` where it is another now.
    public func change(_ body: ChangeHouseBody, seen: Int? = nil) async throws(ClientError) -> HouseAnswer {
        var call = try APICall.write(.put, ["api", "v1", "house"], body, key: caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// What the hub is known by.
    public func certificate() async throws(ClientError) -> CertificateAnswer {
        try await caller.read(.get("api", "v1", "house", "certificate"))
    }

    /// How the hub is, which needs no session.
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
        /// It runs, and says why it does not serve yet.
        case notReady(String)
    }
}
