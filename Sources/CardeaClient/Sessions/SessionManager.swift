import CardeaAPI
import CardeaSecurity
import Foundation

/// Renews a session: however many calls find the token expired, it is renewed once, and all of them wait for that.
actor SessionManager {
    private let store: any SessionStore
    private let pipeline: RequestPipeline
    private var renewal: Task<Session, any Error>?

    init(store: any SessionStore, line: RequestPipeline) {
        self.store = store
        self.pipeline = line
    }

    /// A valid session, renewed beforehand if it is about to expire.
    func current() async throws(ClientError) -> Session {
        guard let session = try await load() else { throw .unauthorized }
        let now = pipeline.environment.now()
        guard !session.isFresh(at: now) else { return session }
        do {
            return try await renewed(insteadOf: session)
        } catch  where error.isRetryable && now < session.expiresAt {
            // An early renewal is optional; while the old token is valid, a brief network failure is not an error.
            return session
        }
    }

    /// The session after `old` was refused: the one that another task has renewed meanwhile, or a new one.
    func renewed(insteadOf old: Session) async throws(ClientError) -> Session {
        // Ends with its one request; it belongs to no single caller, so none can cancel it.
        let task = renewal ?? Task { try await renew(insteadOf: old) }
        renewal = task
        defer { if renewal == task { renewal = nil } }
        do { return try await task.value } catch { throw Self.clientError(error) }
    }

    func save(_ session: Session?) async throws(ClientError) {
        do { try await store.save(session) } catch { throw Self.clientError(error) }
    }

    func load() async throws(ClientError) -> Session? {
        do { return try await store.load() } catch { throw Self.clientError(error) }
    }

    /// Forgets `session`, unless another has taken its place.
    func clear(_ session: Session) async throws(ClientError) {
        do {
            try await store.update { if $0?.accessToken.digest == session.accessToken.digest { $0 = nil } }
        } catch { throw Self.clientError(error) }
    }

    /// Under the store's lock, so that of two processes one renews and the other finds the new session.
    private func renew(insteadOf old: Session) async throws -> Session {
        let line = pipeline
        return try await store.update { stored in
            guard let session = stored else { throw ClientError.unauthorized }
            if session.accessToken.digest != old.accessToken.digest, session.isFresh(at: line.environment.now()) { return session }
            do {
                let next = try await Self.refresh(session, over: line)
                stored = next
                return next
            } catch ClientError.unauthorized {
                stored = nil
                throw ClientError.unauthorized
            }
        }
    }

    private static func refresh(_ session: Session, over line: RequestPipeline) async throws -> Session {
        let token = session.refreshToken.reveal()
        var call =
            try session.isPhone
            ? APICall.write(.post, ["api", "v1", "mobile", "auth", "refresh"], RefreshPhoneBody(refreshToken: token))
            : APICall.write(.post, ["api", "v1", "auth", "refresh"], RefreshBody(refreshToken: token))
        // The hub gives the previous token's successor again for 30 s, so a renewal whose answer was lost may be repeated.
        call.isIdempotent = true
        call.isVital = true
        // Three tries, with their own repeats and pauses, must fit into those 30 s: a token that is used later counts as stolen.
        call.timeout = .seconds(8)
        let response = try await line.send(call, bearer: nil)
        guard response.isSuccess else {
            let error = APIError(response)
            // After an erasure the token is kept until all other data of the house is deleted: only with it does the house repeat the
            // answer.
            throw error.status == 401 && error.code != "person_erased" ? ClientError.unauthorized : ClientError.api(error)
        }
        let now = line.environment.now()
        return session.isPhone
            ? try Session(response.decode(PhoneTokensAnswer.self), at: now) : try Session(response.decode(TokensAnswer.self), at: now)
    }

    static func clientError(_ error: any Error) -> ClientError {
        switch error {
        case let error as ClientError: error
        case is CancellationError: .cancelled
        default: .storage("The tokens could not be read or stored: \(error.localizedDescription)")
        }
    }
}
