import CardeaModel

extension ErrorAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "error": .answer([
            "code": .text(example: "device_not_found"), "message": .text(), "details": .map(), "timestamp": .time, "request_id": .id,
        ])
    ])
}

extension MobileErrorAnswer: SchemaRepresentable {
    public static let schema = Schema.both(
        .of(ErrorAnswer.self), .answer(["detail": .text(example: "Invalid or expired pairing code")]))
}

/// The error answer of `/api/guest_access`, in the shape of Seed 000; a failed door command is answered in it too.
public enum GuestErrorAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["success": .constant(false), "error": .text(example: "token_expired"), "message": .text()],
        optional: [
            "retry_after": .integer().about("Seconds"), "expires_at": .seconds, "starts_at": .seconds, "revoked_at": .seconds,
            "next_opening": .seconds, "max_uses": .integer(), "used_count": .integer(), "remaining_uses": .integer(), "reason": .text(),
            "use_returned": .boolean, "action": .text(), "entity_id": .entityID, "command_id": .id, "state": .text(),
            "entities": .list(of: .entityID),
            "field": .text(),
        ])
}
