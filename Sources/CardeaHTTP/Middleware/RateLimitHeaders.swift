import CardeaAPI
import CardeaHub
import HTTPTypes
import Hummingbird

/// Adds to the answers of a route that counts wrong tries how many are left (draft-ietf-httpapi-ratelimit-headers-10). The number is that
/// of the caller's own address and never of an account, so that it does not show the guesses of others.
struct RateLimitHeaders: Sendable {
    private let policy: RateLimitPolicy
    private let kind: RateLimitStatus.Kind
    /// True if successful answers have these headers too. Requests with a known token are not counted at all.
    private let coversAllResponses: Bool
    private let route: Route
    private let hub: Hub

    init?(_ route: Route, _ caller: Route.Caller, hub: Hub) {
        let counted = route.traits.compactMap { if case .throttled(let policy) = $0 { policy } else { nil } }.first
        guard let policy = counted ?? (caller == .guest || caller == .personOrGuest ? .unknownTokens : nil),
            let kind = RateLimitStatus.Kind(rawValue: policy.name)
        else { return nil }
        self.policy = policy
        self.kind = kind
        coversAllResponses = counted != nil
        self.route = route
        self.hub = hub
    }

    func wrap(
        _ answer: @escaping @Sendable (Request, HubRequestContext) async throws -> Response
    ) -> @Sendable (Request, HubRequestContext) async throws -> Response {
        { request, context in
            do {
                var response = try await answer(request, context)
                if coversAllResponses { response.headers.append(contentsOf: try await fields(context)) }
                return response
            } catch {
                var problem = APIResponseError(error, at: route.path)
                guard problem.status.code < 500, coversAllResponses || [401, 429].contains(problem.status.code) else { throw error }
                problem.rateLimitFields = try await fields(context, wait: problem.status == .tooManyRequests ? problem.retryAfter : nil)
                throw problem
            }
        }
    }

    /// - Parameter wait: the seconds for which requests are refused, if they are.
    private func fields(_ context: HubRequestContext, wait: Int? = nil) async throws -> HTTPFields {
        let remaining = try await hub.rateLimitStatus.remaining(kind, to: context.origin.network)
        let field =
            if let wait { policy.field(left: 0, after: wait) } else { policy.field(left: remaining.tries, after: remaining.seconds) }
        return [.rateLimitPolicy: policy.field, .rateLimit: field]
    }
}
