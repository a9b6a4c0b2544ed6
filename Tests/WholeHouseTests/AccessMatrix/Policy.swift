import CardeaModel

/// What is to become of a request.
enum Verdict: Hashable, Sendable {
    /// It is let through, as far as rights go.
    case done
    /// 401: nobody knows who that is.
    case notSignedIn
    /// 401, and on record: the house knows the pass, and it is over.
    case passIsOver
    /// 401 `action_proof_required`, and on record: it is known, and bound to a key that was not shown.
    case unproven
    /// 401 `action_proof_invalid`, and on record: what was shown proves nothing of this request.
    case misproven
    /// 401 `action_proof_replay`, and on record: what was shown was good once.
    case replayed
    /// 403, and on record.
    case forbidden
    /// 403 `step_up_required`, and on record.
    case stepUp
    /// 404, whether it is somebody else's or nobody's.
    case notThere
    /// 400: the question is about nobody.
    case invalid
    /// 200, and inside it the one thing asked for is refused, and on record.
    case refusedInside

    /// Whether the house must have written down who was refused; of a pass that only looked, how often it did.
    var isOnRecord: Bool { [.passIsOver, .unproven, .misproven, .replayed, .forbidden, .stepUp, .refusedInside].contains(self) }
}

/// Who may what, in rules. They are written from Seed 001, Seed 004 and docs/protocol.md, and share nothing with the code they judge.
struct Rule: Sendable {
    let judge: @Sendable (Visitor, Thing) -> Verdict

    /// A route for people of the house. Passes are no way in; programs have devices and nothing else.
    private static func people(_ judge: @escaping @Sendable (Visitor, Thing) -> Verdict) -> Rule {
        Rule { visitor, thing in
            switch visitor.standing {
            case .stranger, .guest: .notSignedIn
            case .program: .forbidden
            case .person: judge(visitor, thing)
            }
        }
    }

    /// A route for devices: people who move them, and programs as far as their tokens reach.
    private static func devices(_ judge: @escaping @Sendable (Visitor, Thing) -> Verdict) -> Rule {
        Rule { visitor, thing in
            switch visitor.standing {
            case .stranger, .guest: .notSignedIn
            case .person(.nothing, _): .forbidden
            case .person, .program: judge(visitor, thing)
            }
        }
    }

    private static func asking(stepUp: Bool, of visitor: Visitor, _ verdict: Verdict = .done) -> Verdict {
        stepUp && !visitor.provenLately ? .stepUp : verdict
    }

    /// Pages, and what comes before anybody is known: what is shown in the header changes nothing.
    static let everybody = Rule { _, _ in .done }

    /// Somebody who lives here, for themselves.
    static func everyPerson(stepUp: Bool = false) -> Rule { people { visitor, _ in asking(stepUp: stepUp, of: visitor) } }

    /// Whoever is known to the house, in person or by a program.
    static let everyoneKnown = Rule { visitor, _ in
        switch visitor.standing {
        case .stranger, .guest: .notSignedIn
        case .person, .program: .done
        }
    }

    static func holding(_ right: Right, stepUp: Bool = false) -> Rule {
        people { visitor, _ in visitor.holds(right) ? asking(stepUp: stepUp, of: visitor) : .forbidden }
    }

    /// A thing of the house: whoever holds the right has it, and nobody else learns whether it is there.
    static func thing(_ right: Right, stepUp: Bool = false) -> Rule {
        people { visitor, thing in
            visitor.holds(right) ? asking(stepUp: stepUp, of: visitor, thing.isHere ? .done : .notThere) : .forbidden
        }
    }

    /// Theirs alone, even before the owner.
    static func ownThing(stepUp: Bool = false) -> Rule {
        people { visitor, thing in
            asking(stepUp: stepUp, of: visitor, thing == .own && visitor.position != .nothing ? .done : .notThere)
        }
    }

    /// The same, of what takes a right: whoever lacks it is told so, whatever they name.
    static func ownThing(of right: Right) -> Rule {
        people { visitor, thing in visitor.holds(right) ? thing == .own ? .done : .notThere : .forbidden }
    }

    /// A session of one's own. Everybody who is signed in has one.
    static let ownSession = people { _, thing in thing == .own ? .done : .notThere }

    /// Adding somebody of the house.
    static let addingPeople = holding(.managePeople, stepUp: true)

    /// What an owner does to everybody and an admin to members.
    ///
    /// - Parameter ownIsTheirs: whether anybody may do it to themselves.
    static func managing(ownIsTheirs: Bool, stepUp: Bool) -> Rule {
        people { visitor, thing in
            if thing == .own && ownIsTheirs { return asking(stepUp: stepUp, of: visitor) }
            if thing == .crossed { return .notThere }
            guard visitor.holds(.managePeople) else { return .forbidden }
            switch thing {
            case .otherHouses, .nowhere: return .notThere
            case .anothers: return asking(stepUp: stepUp, of: visitor)
            default: return visitor.position == .owner ? asking(stepUp: stepUp, of: visitor) : .forbidden
            }
        }
    }

    /// What becomes of all that is kept of somebody: theirs to say, and an owner's.
    static let leaving = people { visitor, thing in
        if thing == .own { return asking(stepUp: true, of: visitor) }
        guard visitor.position == .owner else { return .forbidden }
        return thing == .otherHouses || thing == .nowhere ? .notThere : asking(stepUp: true, of: visitor)
    }

    /// What becomes of all that is kept of a guest: for whoever let them in to say, and an owner. The one is the owner's guest here, the other
    /// the admin's.
    static let sendingAway = people { visitor, thing in
        guard visitor.holds(.inviteGuests) else { return .forbidden }
        guard thing.isHere else { return .notThere }
        let isTheirs = visitor.position == .owner || (thing == .anothers && visitor.position == .admin)
        return isTheirs ? asking(stepUp: true, of: visitor) : .forbidden
    }

    /// What only an owner does.
    static let ownersAlone = people { visitor, _ in visitor.position == .owner ? asking(stepUp: true, of: visitor) : .forbidden }

    /// A job is its asker's, and an owner sees everybody's.
    static let ownJob = people { visitor, thing in thing == .own || (thing == .anothers && visitor.position == .owner) ? .done : .notThere }

    /// What it made is for its asker alone.
    static let ownArchive = people { visitor, thing in
        if thing == .own { return asking(stepUp: true, of: visitor) }
        return thing == .anothers && visitor.position == .owner ? .forbidden : .notThere
    }

    /// Seeing devices: people see all of them, a program those that its token names.
    static let seeingDevices = devices { visitor, thing in
        switch (thing, visitor.standing) {
        case (.none, _), (.own, _): .done
        case (.anothers, .program(.frontDoor)): .notThere
        case (.anothers, _): .done
        default: .notThere
        }
    }

    /// Moving a lock. The other door is a security device, for the owner and admins alone.
    static func movingDoors(inside: Bool = false) -> Rule {
        let no: Verdict = inside ? .refusedInside : .forbidden
        return Rule { visitor, thing in
            switch (visitor.standing, thing) {
            case (.stranger, _), (.guest, _): .notSignedIn
            case (.person(.nothing, _), _): no
            case (_, .own): .done
            case (.program(.frontDoor), _): no
            case (.person(.member, _), .anothers), (.person(.inviter, _), .anothers): no
            case (_, .anothers): .done
            default: inside ? .refusedInside : .notThere
            }
        }
    }

    /// A command is its asker's, and whoever manages people sees everybody's.
    static let ownCommand = devices { visitor, thing in
        thing == .own || (thing == .anothers && visitor.holds(.managePeople)) ? .done : .notThere
    }

    /// What somebody told the house is theirs to change; so it is for whoever looks after the house.
    static let ownMemory = people { visitor, thing in
        guard visitor.holds(.controlDevices) else { return .forbidden }
        guard thing == .own || thing == .anothers else { return .notThere }
        return thing == .own || visitor.holds(.modifySettings) ? .done : .forbidden
    }

    /// An entry of the record is proven to whoever did it, whoever it concerns, and whoever runs the house.
    static let ownEntry = people { visitor, thing in
        guard visitor.holds(.controlDevices) else { return .forbidden }
        return thing == .own || (thing == .anothers && visitor.holds(.managePeople)) ? .done : .notThere
    }

    /// Why somebody may or may not: everybody about themselves, and about others whoever lets guests in.
    static let explaining = people { visitor, thing in
        if thing == .own { return visitor.holds(.controlDevices) ? .done : .forbidden }
        guard visitor.holds(.inviteGuests) else { return .forbidden }
        return thing == .anothers ? .done : .invalid
    }

    /// What happens in the house, for whoever may look at any of it.
    static let listening = Rule { visitor, _ in
        switch visitor.standing {
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
    static let ticket = Rule { visitor, _ in
        switch visitor.standing {
        case .stranger: .notSignedIn
        case .guest(.replaced): .passIsOver
        default: .done
        }
    }

    /// Signing out is for anybody; a token that is none of ours is told so.
    static let signingOut = Rule { visitor, _ in
        switch visitor.standing {
        case .stranger: visitor.bearsToken ? .notSignedIn : .done
        case .guest: .notSignedIn
        default: .done
        }
    }

    /// A phone that asked looks by the secret it was given, and nobody looks by anything else.
    static let waitingPhone = Rule { _, _ in .notSignedIn }

    // MARK: Passes

    private static func pass(_ judge: @escaping @Sendable (Visitor.Pass, Thing) -> Verdict) -> Rule {
        Rule { visitor, thing in
            guard case .guest(let pass) = visitor.standing else { return .notSignedIn }
            return pass == .replaced ? .passIsOver : judge(pass, thing)
        }
    }

    /// A pass shows itself however it stands, so that its page can say why it is over.
    static let ownPass = pass { _, _ in .done }

    /// Taking back what one has asked for needs no right, and nobody learns of what others have asked for.
    static let takingBack = pass { _, _ in .notThere }

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
        case .bound: .unproven
        case .forged, .misdirected: .misproven
        case .replayed: .replayed
        case .closedDoor, .suspended: .forbidden
        default: .passIsOver
        }
    }

    /// A refresh token renews, whatever else is shown does not.
    static let renewing = Rule { visitor, _ in visitor.name == Visitors.refreshAsAccess ? .done : .notSignedIn }
}
