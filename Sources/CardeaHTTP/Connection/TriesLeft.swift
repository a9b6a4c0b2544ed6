import CardeaAPI
import CardeaHub
import HTTPTypes
import Hummingbird

/// Says, with the answers of a route that counts wrong tries, how many are left (draft-ietf-httpapi-ratelimit-headers-10).
/// It tells of the asker's own address and never of an account: who else has been guessing is nobody's business.
struct TriesLeft: Sendable {
    private let policy: RatePolicy
    private let kind: Tries.Kind
    /// Whether good answers tell it too. Whoever shows a token we know is not counted at all.
    private let tellsAll: Bool
    private let route: Route
    private let hub: Hub

    init?(_ route: Route, _ caller: Route.Caller, hub: Hub) {
        let counted = route.traits.compactMap { if case .throttled(let policy) = $0 { policy } else { nil } }.first
        guard let policy = counted ?? (caller == .guest || caller == .anybody ? .strangers : nil),
            let kind = Tries.Kind(rawValue: policy.name)
        else { return nil }
        self.policy = policy
        self.kind = kind
        tellsAll = counted != nil
        self.route = route
        self.hub = hub
    }

    func around(
        _ answer: @escaping @Sendable (Request, HouseContext) async throws -> Response
    ) -> @Sendable (Request, HouseContext) async throws -> Response {
        { request, context in
            do {
                var response = try await answer(request, context)
                if tellsAll { response.headers.append(contentsOf: try await fields(context)) }
                return response
            } catch {
                var problem = Problem(error, at: route.path)
                guard problem.status.code < 500, tellsAll || [401, 429].contains(problem.status.code) else { throw error }
                problem.rate = try await fields(context, wait: problem.status == .tooManyRequests ? problem.retryAfter : nil)
                throw problem
            }
        }
    }

    /// - Parameter wait: the seconds for which nothing is heard, where that is so.
    private func fields(_ context: HouseContext, wait: Int? = nil) async throws -> HTTPFields {
        let standing = try await hub.tries.left(kind, to: context.origin.network)
        let field =
            if let wait { policy.field(left: 0, after: wait) } else { policy.field(left: standing.tries, after: standing.seconds) }
        return [.rateLimitPolicy: policy.field, .rateLimit: field]
    }
}
