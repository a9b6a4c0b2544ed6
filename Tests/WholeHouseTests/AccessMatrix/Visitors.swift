import CardeaModel
import HTTPTypes

/// Whoever comes to the house, by what they show and by what they are to it.
struct Visitor: Sendable {
    let name: String
    let standing: Standing
    let credential: Credential
    /// The name under which the audit trail keeps them; nil for whom the house does not know.
    var auditID: String?
    /// Under which name what is their own is filed, where that is another one.
    var place: String?
    /// Whether it is that person's phone that comes. What it may ask at all is `Operation.isOpenToPhones`.
    var isPhone = false

    enum Standing: Hashable, Sendable {
        /// Nobody the house knows, or nobody it knows any longer.
        case stranger
        case person(Position, provenLately: Bool)
        case program(Reach)
        case guest(Pass)
    }

    /// What a person is in the house.
    enum Position: Hashable, Sendable, CaseIterable {
        case owner, admin, member
        /// A member who may let guests in.
        case inviter
        /// Somebody whose role holds nothing.
        case nothing
    }

    /// What a program's token was made for, by the owner.
    enum Reach: Hashable, Sendable {
        case everything
        /// Unlocking the front door.
        case frontDoor
    }

    enum Pass: Hashable, Sendable, CaseIterable {
        case open, early, over, usedUp, revoked, suspended
        /// Another phone took the pass over.
        case replaced
        /// Its door was closed to guests after the pass was made.
        case closedDoor
        /// Bound to the key of its guest's phone. Whoever comes has copied its token.
        case bound
    }

    enum Credential: Hashable, Sendable {
        case none
        /// A whole `Authorization` field.
        case field(String)
        case bearer(String)
        case twice(String)
        case inQuery(String)
    }

    /// What would be shown in a body.
    var secret: String {
        switch credential {
        case .bearer(let token), .twice(let token), .inQuery(let token): token
        case .none, .field: "nothing"
        }
    }

    var position: Position? { if case .person(let position, _) = standing { position } else { nil } }
    var provenLately: Bool { if case .person(_, provenLately: true) = standing { true } else { false } }

    func holds(_ right: Right) -> Bool {
        switch position {
        case .owner, .admin: true
        case .member: [.controlDevices, .viewEnergy].contains(right)
        case .inviter: [.controlDevices, .viewEnergy, .inviteGuests].contains(right)
        case .nothing, nil: false
        }
    }

    /// Whether they bear a token at all, in the one place where one counts.
    var bearsToken: Bool {
        switch credential {
        case .none, .inQuery, .field: false
        case .bearer, .twice: true
        }
    }
}

/// Whose the thing is that a request names.
enum Thing: String, Sendable, CaseIterable {
    /// The request names none.
    case none = ""
    /// Their own, or the house's.
    case own
    /// Somebody else's of the same house.
    case anothers = "another's"
    /// The owner's, who is above everybody.
    case superiors = "the owner's"
    /// Their own name with a thing of somebody else's.
    case crossed = "crossed"
    /// It is there, in another house.
    case otherHouses = "another house's"
    case nowhere = "nobody's"

    static let named: [Thing] = [.own, .anothers, .otherHouses, .nowhere]
    static let people: [Thing] = [.own, .anothers, .superiors, .otherHouses, .nowhere]

    var isHere: Bool { self == .own || self == .anothers }
}
