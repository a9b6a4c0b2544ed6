import CardeaModel

/// An answer of one status that says why something was not done, in the shape of its family.
struct FailedAnswer: Hashable {
    let status: Int
    let codes: [String]
    let isOfGuestFamily: Bool
    let isOfMobileFamily: Bool

    static func all(_ route: Route, _ caller: Route.Caller) -> [FailedAnswer] {
        Dictionary(grouping: route.failures(for: caller), by: \.status).map { status, failures in
            FailedAnswer(
                status: status, codes: failures.map(\.code), isOfGuestFamily: route.isOfGuestFamily,
                isOfMobileFamily: route.isOfMobileFamily)
        }
    }

    /// As a component: `Error404.not_found`.
    var name: String {
        ([isOfGuestFamily ? "GuestError\(status)" : isOfMobileFamily ? "MobileError\(status)" : "Error\(status)"] + codes).joined(
            separator: ".")
    }

    var json: JSONValue {
        let words = Schema.words(codes)
        let schema: Schema =
            isOfGuestFamily
            ? .both(.of(GuestErrorAnswer.self), .answer(["error": words]))
            : isOfMobileFamily
                ? .of(MobileErrorAnswer.self)
                : .both(.of(ErrorAnswer.self), .answer(["error": .answer(["code": words])]))
        return [
            "description": .string(codes.map { "`\($0)`" }.joined(separator: ", ")),
            "headers": Headers.references(["X-Request-Id"] + Headers.ofFailures(status)),
            "content": ["application/json": ["schema": schema.json]],
        ]
    }
}
