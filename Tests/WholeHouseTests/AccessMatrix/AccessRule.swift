import CardeaModel

/// The expected outcome of a request.
enum ExpectedOutcome: Hashable, Sendable {
    /// Authorised.
    case done
    /// 401: the caller is unknown.
    case notSignedIn
    /// 401, and audited: the house knows the pass, and it has ended.
    case passIsOver
    /// 401 `action_proof_required`, and audited: the pass is known, and bound to a key without a proof.
    case proofRequired
    /// 401 `action_proof_invalid`, and audited: the proof does not match this request.
    case proofInvalid
    /// 401 `action_proof_replay`, and audited: the proof was used before.
    case proofReplayed
    /// 403, and audited.
    case forbidden
    /// 403 `step_up_required`, and audited.
    case stepUp
    /// 404, for another person's object and for a missing one.
    case notFound
    /// 400: the request names no person.
    case invalid
    /// 200 with a refusal of the one requested action inside, and audited.
    case refusedInside

    /// True if the audit log must name the refused caller. For a pass that was only read, it must count how often.
    var isOnRecord: Bool {
        [.passIsOver, .proofRequired, .proofInvalid, .proofReplayed, .forbidden, .stepUp, .refusedInside].contains(self)
    }
}

/// Access rules, by caller. They are written from Seed 001, Seed 004 and docs/protocol.md, and share nothing with the code under test.
struct AccessRule: Sendable {
    let judge: @Sendable (MatrixCaller, ResourceOwnership) -> ExpectedOutcome

    /// A route for people of the house. Passes have no access; programs have devices only.
    private static func people(_ judge: @escaping @Sendable (MatrixCaller, ResourceOwnership) -> ExpectedOutcome) -> AccessRule {
        AccessRule { visitor, thing in
            switch visitor.identity {
            case .stranger, .guest: .notSignedIn
            case .program: .forbidden
            case .person: judge(visitor, thing)
            }
        }
    }

    /// A route for devices: people who control them, and programs within their tokens.
    private static func devices(_ judge: @escaping @Sendable (MatrixCaller, ResourceOwnership) -> ExpectedOutcome) -> AccessRule {
        AccessRule { visitor, thing in
            switch visitor.identity {
            case .stranger, .guest: .notSignedIn
            case .person(.nothing, _): .forbidden
            case .person, .program: judge(visitor, thing)
            }
        }
    }

    private static func requiringStepUp(stepUp: Bool, of visitor: MatrixCaller, _ verdict: ExpectedOutcome = .done) -> ExpectedOutcome {
        stepUp && !visitor.hasRecentProof ? .stepUp : verdict
    }

    /// Pages, and routes without a known caller: credentials in the header change nothing.
    static let everybody = AccessRule { _, _ in .done }

    /// A resident, for themselves.
    static func everyPerson(stepUp: Bool = false) -> AccessRule { people { visitor, _ in requiringStepUp(stepUp: stepUp, of: visitor) } }

    /// Every caller known to the house, in person or by a program.
    static let everyoneKnown = AccessRule { visitor, _ in
        switch visitor.identity {
        case .stranger, .guest: .notSignedIn
        case .person, .program: .done
        }
    }

    static func holding(_ right: Right, stepUp: Bool = false) -> AccessRule {
        people { visitor, _ in visitor.holds(right) ? requiringStepUp(stepUp: stepUp, of: visitor) : .forbidden }
    }

    /// An object of the house: a caller with the right gets it, and others do not learn whether it exists.
    static func thing(_ right: Right, stepUp: Bool = false) -> AccessRule {
        people { visitor, thing in
            visitor.holds(right) ? requiringStepUp(stepUp: stepUp, of: visitor, thing.isHere ? .done : .notFound) : .forbidden
        }
    }

    /// Their own only, even for the owner.
    static func ownThing(stepUp: Bool = false) -> AccessRule {
        people { visitor, thing in
            requiringStepUp(stepUp: stepUp, of: visitor, thing == .own && visitor.position != .nothing ? .done : .notFound)
        }
    }

    /// The same for objects that need a right: a caller without it is told so, whatever they name.
    static func ownThing(of right: Right) -> AccessRule {
        people { visitor, thing in visitor.holds(right) ? thing == .own ? .done : .notFound : .forbidden }
    }

    /// A session of one's own. Every signed-in person has one.
    static let ownSession = people { _, thing in thing == .own ? .done : .notFound }

    /// Adding a person to the house.
    static let addingPeople = holding(.managePeople, stepUp: true)

    /// An action on people: an owner may do it to everyone, an admin to members.
    ///
    /// - Parameter ownIsTheirs: true if people may do it to themselves.
    static func managing(ownIsTheirs: Bool, stepUp: Bool) -> AccessRule {
        people { visitor, thing in
            if thing == .own && ownIsTheirs { return requiringStepUp(stepUp: stepUp, of: visitor) }
            if thing == .crossed { return .notFound }
            guard visitor.holds(.managePeople) else { return .forbidden }
            switch thing {
            case .otherHouses, .nowhere: return .notFound
            case .anothers: return requiringStepUp(stepUp: stepUp, of: visitor)
            default: return visitor.position == .owner ? requiringStepUp(stepUp: stepUp, of: visitor) : .forbidden
            }
        }
    }

    /// Erasing a person's data: allowed to that person and to an owner.
    static let erasingPerson = people { visitor, thing in
        if thing == .own { return requiringStepUp(stepUp: true, of: visitor) }
        guard visitor.position == .owner else { return .forbidden }
        return thing == .otherHouses || thing == .nowhere ? .notFound : requiringStepUp(stepUp: true, of: visitor)
    }

    /// Erasing a guest's data: allowed to the person who invited them and to an owner. One guest here is the owner's, the other the
    /// admin's.
    static let erasingGuest = people { visitor, thing in
        guard visitor.holds(.inviteGuests) else { return .forbidden }
        guard thing.isHere else { return .notFound }
        let isTheirs = visitor.position == .owner || (thing == .anothers && visitor.position == .admin)
        return isTheirs ? requiringStepUp(stepUp: true, of: visitor) : .forbidden
    }

    /// An action that only an owner may do.
    static let ownerOnly = people { visitor, _ in visitor.position == .owner ? requiringStepUp(stepUp: true, of: visitor) : .forbidden }

    /// A job belongs to its requester, and an owner sees everyone's.
    static let ownJob = people { visitor, thing in thing == .own || (thing == .anothers && visitor.position == .owner) ? .done : .notFound }

    /// The result of a job: for the person who requested it alone.
    static let ownArchive = people { visitor, thing in
        if thing == .own { return requiringStepUp(stepUp: true, of: visitor) }
        return thing == .anothers && visitor.position == .owner ? .forbidden : .notFound
    }

    /// Seeing devices: people see all of them, a program those that its token names.
    static let seeingDevices = devices { visitor, thing in
        switch (thing, visitor.identity) {
        case (.none, _), (.own, _): .done
        case (.anothers, .program(.frontDoor)): .notFound
        case (.anothers, _): .done
        default: .notFound
        }
    }

    /// Moving a lock. The other door is a security device, for the owner and admins alone.
    static func movingDoors(inside: Bool = false) -> AccessRule {
        let no: ExpectedOutcome = inside ? .refusedInside : .forbidden
        return AccessRule { visitor, thing in
            switch (visitor.identity, thing) {
            case (.stranger, _), (.guest, _): .notSignedIn
            case (.person(.nothing, _), _): no
            case (_, .own): .done
            case (.program(.frontDoor), _): no
            case (.person(.member, _), .anothers), (.person(.inviter, _), .anothers): no
            case (_, .anothers): .done
            default: inside ? .refusedInside : .notFound
            }
        }
    }

    /// A command belongs to its requester, and people who manage people see everyone's.
    static let ownCommand = devices { visitor, thing in
        thing == .own || (thing == .anothers && visitor.holds(.managePeople)) ? .done : .notFound
    }

    /// Changing a memory: allowed to the person who told it, and to those who may change settings.
    static let ownMemory = people { visitor, thing in
        guard visitor.holds(.controlDevices) else { return .forbidden }
        guard thing == .own || thing == .anothers else { return .notFound }
        return thing == .own || visitor.holds(.modifySettings) ? .done : .forbidden
    }

    /// An audit entry is proved to its actor, to the person it concerns, and to those who run the house.
    static let ownEntry = people { visitor, thing in
        guard visitor.holds(.controlDevices) else { return .forbidden }
        return thing == .own || (thing == .anothers && visitor.holds(.managePeople)) ? .done : .notFound
    }

    /// Explanations of access: about oneself for everyone, and about others for those who may invite guests.
    static let explaining = people { visitor, thing in
        if thing == .own { return visitor.holds(.controlDevices) ? .done : .forbidden }
        guard visitor.holds(.inviteGuests) else { return .forbidden }
        return thing == .anothers ? .done : .invalid
    }

    /// Listening to events: allowed to everyone who may see any of them.
    static let listening = AccessRule { visitor, _ in
        switch visitor.identity {
        case .stranger: .notSignedIn
        case .person(.nothing, _): .forbidden
        case .person, .program: .done
        case .guest(.replaced): .passIsOver
        case .guest(.open), .guest(.usedUp), .guest(.closedDoor): .done
        // Reading events moves nothing: a proof is required for actions.
        case .guest(.bound), .guest(.proven), .guest(.forged), .guest(.replayed), .guest(.misdirected): .done
        case .guest: .forbidden
        }
    }

    /// A ticket identifies its caller, and its permissions are checked when it is used.
    static let ticket = AccessRule { visitor, _ in
        switch visitor.identity {
        case .stranger: .notSignedIn
        case .guest(.replaced): .passIsOver
        default: .done
        }
    }

    /// Signing out is open to every caller; a foreign token is refused.
    static let signingOut = AccessRule { visitor, _ in
        switch visitor.identity {
        case .stranger: visitor.hasBearerToken ? .notSignedIn : .done
        case .guest: .notSignedIn
        default: .done
        }
    }

    /// A waiting phone reads with its secret, and nothing else gives access.
    static let waitingPhone = AccessRule { _, _ in .notSignedIn }

    // MARK: Passes

    private static func pass(_ judge: @escaping @Sendable (MatrixCaller.PassState, ResourceOwnership) -> ExpectedOutcome) -> AccessRule {
        AccessRule { visitor, thing in
            guard case .guest(let pass) = visitor.identity else { return .notSignedIn }
            return pass == .replaced ? .passIsOver : judge(pass, thing)
        }
    }

    /// A pass shows itself in any state, so that its page can say why it is over.
    static let ownPass = pass { _, _ in .done }

    /// Withdrawing one's own request needs no right, and other people's requests stay hidden.
    static let takingBack = pass { _, _ in .notFound }

    static let validPass = pass { pass, _ in
        switch pass {
        case .open, .closedDoor, .bound, .proven, .forged, .replayed, .misdirected: .done
        case .suspended: .forbidden
        default: .passIsOver
        }
    }

    /// Opening with a pass: its own door, in its time, and within its uses.
    static let opening = pass { pass, thing in
        switch pass {
        case .open, .proven: thing == .own ? .done : .forbidden
        case .bound: .proofRequired
        case .forged, .misdirected: .proofInvalid
        case .replayed: .proofReplayed
        case .closedDoor, .suspended: .forbidden
        default: .passIsOver
        }
    }

    /// A refresh token renews, any other credential does not.
    static let renewing = AccessRule { visitor, _ in visitor.name == MatrixCallers.refreshAsAccess ? .done : .notSignedIn }
}
