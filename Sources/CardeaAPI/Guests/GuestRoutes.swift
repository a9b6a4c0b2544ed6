extension Route {
    public static var inviteGuest: Route {
        Route(
            .post, "/api/v1/guests", .guests, "Create a pass", body: .json(InviteGuestBody.self),
            .created(GuestAnswer.self, "The pass with its link and code"), traits: [.stepUp])
    }

    public static var listGuests: Route {
        Route(.get, "/api/v1/guests", .guests, "List the passes that the caller may see", .ok(GuestsAnswer.self))
    }

    public static var revokeGuests: Route {
        Route(.post, "/api/v1/guests/revoke-all", .guests, "Revoke all passes", .ok(RevokedAnswer.self))
    }

    public static var showGuest: Route {
        Route(.get, "/api/v1/guests/{id}", .guests, "Get a pass with its history", .ok(GuestAnswer.self), fails: [.guestNotFound])
    }

    public static var newGuestCode: Route {
        Route(
            .post, "/api/v1/guests/{id}/code", .guests, "Create a new link and code; the old ones become invalid",
            .ok(GuestCodeAnswer.self),
            fails: [.guestNotFound, .conflict, .gone], traits: [.stepUp])
    }

    public static var showGuestQR: Route {
        Route(
            .get, "/api/v1/guests/{id}/qr.svg", .guests, "Get the link as a QR code", .text("image/svg+xml", "A QR code"),
            fails: [.guestNotFound, .conflict, .gone], traits: [.stepUp])
    }

    /// - Parameter decision: `approve`, `reject`, `suspend`, `resume` or `revoke`.
    public static func decideGuest(_ decision: String) -> Route {
        Route(
            .post, "/api/v1/guests/{id}/\(decision)", .guests, "Change the state of a pass: \(decision)",
            body: ["approve", "reject"].contains(decision) ? .optionalJSON(AnswerPhoneBody.self) : nil, .ok(GuestAnswer.self),
            fails: [.guestNotFound, .conflict] + (decision == "approve" ? [ErrorCode(409, "several_phones")] : []),
            traits: ["approve", "resume"].contains(decision) ? [.stepUp] : [], id: "\(decision)Guest")
    }

    public static var listAsks: Route {
        Route(.get, "/api/v1/asks", .guests, "List requests that wait for approval", .ok(AsksAnswer.self))
    }
}
