import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes

/// A caller, by their credential and by their role in the house.
struct MatrixCaller: Sendable {
    let name: String
    let identity: Identity
    let credential: Credential
    /// Their name in the audit log; nil for a caller unknown to the house.
    var auditID: String?
    /// The name under which their own objects are filed, if it is another one.
    var place: String?
    /// True if the caller is that person's phone. `MatrixOperation.isOpenToPhones` says which requests it may make at all.
    var isPhone = false
    /// The key that signs their requests, if they sign.
    var proofKey: ProofKey?

    enum Identity: Hashable, Sendable {
        /// A caller whom the house does not know, or no longer knows.
        case stranger
        case person(HouseRole, provenLately: Bool)
        case program(TokenScope)
        case guest(PassState)
    }

    /// A person's role in the house.
    enum HouseRole: Hashable, Sendable, CaseIterable {
        case owner, admin, member
        /// A member who may let guests in.
        case inviter
        /// A person whose role grants no rights.
        case nothing
    }

    /// The scope of a program's token, chosen by the owner.
    enum TokenScope: Hashable, Sendable {
        case everything
        /// Unlocking the front door.
        case frontDoor
    }

    enum PassState: Hashable, Sendable, CaseIterable {
        case open, early, over, usedUp, revoked, suspended
        /// Another phone took the pass over.
        case replaced
        /// Its door was closed to guests after the pass was made.
        case closedDoor
        /// Bound to the key of its guest's phone. The caller has copied its token.
        case bound
        /// The same, with the phone itself as the caller.
        case proven
        /// A copied token, with proofs signed by another key.
        case forged
        /// A copied token, with a used proof.
        case replayed
        /// A copied token, with proofs for another request.
        case misdirected
    }

    enum Credential: Hashable, Sendable {
        case none
        /// A complete `Authorization` field.
        case field(String)
        case bearer(String)
        case twice(String)
        case inQuery(String)
    }

    /// The key of a phone, and the phone that the signer claims to be.
    struct ProofKey: Sendable {
        let key: GuestKey
        let deviceID: String
    }

    /// The values of their `Authorization` fields.
    var authorization: [String] {
        switch credential {
        case .none, .inQuery: []
        case .field(let field): [field]
        case .bearer(let token): ["Bearer \(token)"]
        case .twice(let token): ["Bearer \(token)", "Bearer \(token)"]
        }
    }

    /// The token in the query of the URL, if the caller puts it there.
    var queryParameters: [String] { if case .inQuery(let token) = credential { ["access_token=\(token)", "token=\(token)"] } else { [] } }

    /// The header fields of a proof of their pass's key; none if they send none.
    ///
    /// - Parameter given: the nonce that the house issued for signing, and its id for the token.
    func proof(
        of method: HTTPRequest.Method, _ path: String, _ body: String = "", given: (nonce: String, jti: String) = ("none", "none"),
        at now: Date
    ) throws -> HTTPFields {
        guard let proofKey else { return [:] }
        let signed = ActionProof(
            nonce: given.nonce, ts: Int64(now.timeIntervalSince1970), method: method.rawValue,
            path: identity == .guest(.misdirected) ? path + "/cancel" : path, body: Data(body.utf8), jti: given.jti,
            deviceID: proofKey.deviceID)
        let (header, signature) = try proofKey.key.sign(signed)
        return [SigningGuest.proofField: header, SigningGuest.signatureField: signature]
    }

    /// The token that would be sent in a body.
    var secret: String {
        switch credential {
        case .bearer(let token), .twice(let token), .inQuery(let token): token
        case .none, .field: "nothing"
        }
    }

    var position: HouseRole? { if case .person(let position, _) = identity { position } else { nil } }
    var hasRecentProof: Bool { if case .person(_, provenLately: true) = identity { true } else { false } }

    func holds(_ right: Right) -> Bool {
        switch position {
        case .owner, .admin: true
        case .member: [.controlDevices, .viewEnergy].contains(right)
        case .inviter: [.controlDevices, .viewEnergy, .inviteGuests].contains(right)
        case .nothing, nil: false
        }
    }

    /// True if the caller sends a token in the one place where it counts.
    var hasBearerToken: Bool {
        switch credential {
        case .none, .inQuery, .field: false
        case .bearer, .twice: true
        }
    }
}

/// The owner of the object that a request names.
enum ResourceOwnership: String, Sendable, CaseIterable {
    /// The request names none.
    case none = ""
    /// Their own, or the house's.
    case own
    /// Another person's of the same house.
    case anothers = "another's"
    /// The owner's, who has the highest role.
    case superiors = "the owner's"
    /// Their own id with another person's object.
    case crossed = "crossed"
    /// It exists, in another house.
    case otherHouses = "another house's"
    case nowhere = "nobody's"

    static let named: [ResourceOwnership] = [.own, .anothers, .otherHouses, .nowhere]
    static let people: [ResourceOwnership] = [.own, .anothers, .superiors, .otherHouses, .nowhere]

    var isHere: Bool { self == .own || self == .anothers }
}
