extension Route {
    public static var inviteGuest: Route {
        Route(
            .post, "/api/v1/guests", .guests, "Let a guest in", body: .json(InviteGuestBody.self),
            .created(GuestAnswer.self, "The pass, with its link and code"), traits: [.stepUp])
    }

    public static var listGuests: Route {
        Route(.get, "/api/v1/guests", .guests, "The passes you may see", .ok(GuestsAnswer.self))
    }

    public static var revokeGuests: Route {
        Route(.post, "/api/v1/guests/revoke-all", .guests, "Take every pass back", .ok(RevokedAnswer.self))
    }

    public static var showGuest: Route {
        Route(.get, "/api/v1/guests/{id}", .guests, "One pass, and what was done with it", .ok(GuestAnswer.self), fails: [.guestNotFound])
    }

    public static var newGuestCode: Route {
        Route(
            .post, "/api/v1/guests/{id}/code", .guests, "A new link and a new code; the old ones end", .ok(GuestCodeAnswer.self),
            fails: [.guestNotFound, .conflict, .gone], traits: [.stepUp])
    }

    public static var showGuestQR: Route {
        Route(
            .get, "/api/v1/guests/{id}/qr.svg", .guests, "The link as a picture", .text("image/svg+xml", "A QR code"),
            fails: [.guestNotFound, .conflict, .gone], traits: [.stepUp])
    }

    /// - Parameter decision: `approve`, `reject`, `suspend`, `resume` or `revoke`.
    public static func decideGuest(_ decision: String) -> Route {
        Route(
            .post, "/api/v1/guests/{id}/\(decision)", .guests, "What becomes of a pass: \(decision)",
            body: ["approve", "reject"].contains(decision) ? .optionalJSON(AnswerPhoneBody.self) : nil, .ok(GuestAnswer.self),
            fails: [.guestNotFound, .conflict] + (decision == "approve" ? [ErrorCode(409, "several_phones")] : []),
            traits: ["approve", "resume"].contains(decision) ? [.stepUp] : [], id: "\(decision)Guest")
    }

    public static var listAsks: Route {
        Route(.get, "/api/v1/asks", .guests, "Who waits for a yes", .ok(AsksAnswer.self))
    }
}
