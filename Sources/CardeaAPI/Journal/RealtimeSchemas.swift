import CardeaModel

extension TicketAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["ticket": .text().about("Valid once"), "expires_in": .integer().about("Seconds")])
}

/// `GET /api/v1/changes`
public enum ChangesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "changes": .list(of: .of(RealtimeEvent.self)), "next": .integer().about("Cursor of the next page"), "more": .boolean,
    ])
}
