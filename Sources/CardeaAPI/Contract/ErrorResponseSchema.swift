import CardeaModel

/// An answer of one status that says why something was not done, in the shape of its family.
struct ErrorResponseSchema: Hashable {
    let status: Int
    let codes: [String]
    let isOfGuestFamily: Bool
    let isOfMobileFamily: Bool

    static func all(_ route: Route, _ caller: Route.Caller) -> [ErrorResponseSchema] {
        Dictionary(grouping: route.errors(for: caller), by: \.status).map { status, failures in
            ErrorResponseSchema(
                status: status, codes: failures.map(\.code), isOfGuestFamily: route.isOfGuestFamily,
                isOfMobileFamily: route.isOfMobileFamily)
        }
    }

    /// As a component: `Error404.not_found`.
    var name: String { (["\(isOfGuestFamily ? "Guest" : isOfMobileFamily ? "Mobile" : "")Error\(status)"] + codes).joined(separator: ".") }

    var json: JSONValue {
        let words = Schema.enumeration(codes)
        let schema: Schema =
            isOfGuestFamily
            ? .both(.of(GuestErrorAnswer.self), .answer(["error": words]))
            : .both(isOfMobileFamily ? .of(MobileErrorAnswer.self) : .of(ErrorAnswer.self), .answer(["error": .answer(["code": words])]))
        return [
            "description": .string(codes.map { "`\($0)`" }.joined(separator: ", ")),
            "headers": HeaderFields.references(["X-Request-Id"] + HeaderFields.errorHeaders(status)),
            "content": ["application/json": ["schema": schema.json]],
        ]
    }
}
