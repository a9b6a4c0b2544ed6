import CardeaModel

/// The expected outcome of a request.
enum ExpectedOutcome: Hashable, Sendable {
    /// It is let through, as far as rights go.
    case done
    /// 401: the caller is unknown.
    case notSignedIn
    /// 401, and on record: the house knows the pass, and it is over.
    case passIsOver
    /// 401 `action_proof_required`, and on record: it is known, and bound to a key that was not shown.
    case proofRequired
    /// 401 `action_proof_invalid`, and on record: what was shown proves nothing of this request.
    case proofInvalid
    /// 401 `action_proof_replay`, and on record: what was shown was good once.
    case proofReplayed
    /// 403, and on record.
    case forbidden
    /// 403 `step_up_required`, and on record.
    case stepUp
    /// 404, whether it is somebody else's or nobody's.
    case notFound
    /// 400: the request names no person.
    case invalid
    /// 200, and inside it the one thing asked for is refused, and on record.
    case refusedInside

    /// True if the audit log must name the refused caller. For a pass that was only read, it must count how often.
    var isOnRecord: Bool {
        [.passIsOver, .proofRequired, .proofInvalid, .proofReplayed, .forbidden, .stepUp, .refusedInside].contains(self)
    }
}

/// Access rules, by caller. They are written from Seed 001, Seed 004 and docs/protocol.md, and share nothing with the code they judge.
struct AccessRule: Sendable {
    let judge: @Sendable (MatrixCaller, ResourceOwnership) -> ExpectedOutcome

    /// A route for people of the house. Passes are no way in; programs have devices and nothing else.
    private static func people(_ judge: @escaping @Sendable (MatrixCaller, ResourceOwnership) -> ExpectedOutcome) -> AccessRule {
        AccessRule { visitor, thing in
            switch visitor.identity {
            case .stranger, .guest: .notSignedIn
            case .program: .forbidden
            case .person: judge(visitor, thing)
            }
        }
    }

    /// A route for devices: people who move them, and programs as far as their tokens reach.
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

    /// Pages, and what comes before anybody is known: what is shown in the header changes nothing.
    static let everybody = AccessRule { _, _ in .done }

    /// Somebody who lives here, for themselves.
    static func everyPerson(stepUp: Bool = false) -> AccessRule { people { visitor, _ in requiringStepUp(stepUp: stepUp, of: visitor) } }

    /// Everybody known to the house, in person or by a program.
    static let everyoneKnown = AccessRule { visitor, _ in
        switch visitor.identity {
        case .stranger, .guest: .notSignedIn
        case .person, .program: .done
        }
    }

    static func holding(_ right: Right, stepUp: Bool = false) -> AccessRule {
        people { visitor, _ in visitor.holds(right) ? requiringStepUp(stepUp: stepUp, of: visitor) : .forbidden }
    }

    /// A thing of the house: whoever holds the right has it, and nobody else learns whether it is there.
    static func thing(_ right: Right, stepUp: Bool = false) -> AccessRule {
        people { visitor, thing in
            visitor.holds(right) ? requiringStepUp(stepUp: stepUp, of: visitor, thing.isHere ? .done : .notFound) : .forbidden
        }
    }

    /// Theirs alone, even before the owner.
    static func ownThing(stepUp: Bool = false) -> AccessRule {
        people { visitor, thing in
            requiringStepUp(stepUp: stepUp, of: visitor, thing == .own && visitor.position != .nothing ? .done : .notFound)
        }
    }

    /// The same, of what takes a right: whoever lacks it is told so, whatever they name.
    static func ownThing(of right: Right) -> AccessRule {
        people { visitor, thing in visitor.holds(right) ? thing == .own ? .done : .notFound : .forbidden }
    }

    /// A session of one's own. Everybody who is signed in has one.
    static let ownSession = people { _, thing in thing == .own ? .done : .notFound }

    /// Adding somebody of the house.
    static let addingPeople = holding(.managePeople, stepUp: true)

    /// An action on people: an owner may do it to everybody, an admin to members.
    ///
    /// - Parameter ownIsTheirs: true if everybody may do it to themselves.
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

    /// A job is its asker's, and an owner sees everybody's.
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

    /// A command is its asker's, and whoever manages people sees everybody's.
    static let ownCommand = devices { visitor, thing in
        thing == .own || (thing == .anothers && visitor.holds(.managePeople)) ? .done : .notFound
    }

    /// Changing a memory: allowed to the person who told it, and to those who may change settings.
    static let ownMemory = people { visitor, thing in
        guard visitor.holds(.controlDevices) else { return .forbidden }
        guard thing == .own || thing == .anothers else { return .notFound }
        return thing == .own || visitor.holds(.modifySettings) ? .done : .forbidden
    }

    /// An entry of the record is proven to whoever did it, whoever it concerns, and whoever runs the house.
    static let ownEntry = people { visitor, thing in
        guard visitor.holds(.controlDevices) else { return .forbidden }
        return thing == .own || (thing == .anothers && visitor.holds(.managePeople)) ? .done : .notFound
    }

    /// Why somebody may or may not: everybody about themselves, and about others whoever lets guests in.
    static let explaining = people { visitor, thing in
        if thing == .own { return visitor.holds(.controlDevices) ? .done : .forbidden }
        guard visitor.holds(.inviteGuests) else { return .forbidden }
        return thing == .anothers ? .done : .invalid
    }

    /// Listening to events: allowed to everybody who may see any of them.
    static let listening = AccessRule { visitor, _ in
        switch visitor.identity {
        case .stranger: .notSignedIn
        case .person(.nothing, _): .forbidden
        case .person, .program: .done
        case .guest(.replaced): .passIsOver
        case .guest(.open), .guest(.usedUp), .guest(.closedDoor): .done
        // What is heard moves nothing: a proof is asked for where something is to be done.
        case .guest(.bound), .guest(.proven), .guest(.forged), .guest(.replayed), .guest(.misdirected): .done
        case .guest: .forbidden
        }
    }

    /// A ticket says who somebody is, and what they may hear is asked when it is shown.
    static let ticket = AccessRule { visitor, _ in
        switch visitor.identity {
        case .stranger: .notSignedIn
        case .guest(.replaced): .passIsOver
        default: .done
        }
    }

    /// Signing out is for anybody; a token that is none of ours is told so.
    static let signingOut = AccessRule { visitor, _ in
        switch visitor.identity {
        case .stranger: visitor.hasBearerToken ? .notSignedIn : .done
        case .guest: .notSignedIn
        default: .done
        }
    }

    /// A phone that asked looks by the secret it was given, and nobody looks by anything else.
    static let waitingPhone = AccessRule { _, _ in .notSignedIn }

    // MARK: Passes

    private static func pass(_ judge: @escaping @Sendable (MatrixCaller.PassState, ResourceOwnership) -> ExpectedOutcome) -> AccessRule {
        AccessRule { visitor, thing in
            guard case .guest(let pass) = visitor.identity else { return .notSignedIn }
            return pass == .replaced ? .passIsOver : judge(pass, thing)
        }
    }

    /// A pass shows itself however it stands, so that its page can say why it is over.
    static let ownPass = pass { _, _ in .done }

    /// Taking back what one has asked for needs no right, and nobody learns of what others have asked for.
    static let takingBack = pass { _, _ in .notFound }

    static let validPass = pass { pass, _ in
        switch pass {
        case .open, .closedDoor, .bound, .proven, .forged, .replayed, .misdirected: .done
        case .suspended: .forbidden
        default: .passIsOver
        }
    }

    /// Opening by a pass: its own door, in its time, and as often as it says.
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

    /// A refresh token renews, whatever else is shown does not.
    static let renewing = AccessRule { visitor, _ in visitor.name == MatrixCallers.refreshAsAccess ? .done : .notSignedIn }
}
