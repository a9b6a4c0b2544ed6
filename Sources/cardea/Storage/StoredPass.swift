import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// A pass of this person's, and the house it opens.
struct StoredPass: Codable, Sendable {
    let hub: HubAddress
    let token: StoredSecret
    /// The pass as the house last described it, without its token.
    var pass: GuestPassAnswer
    let takenAt: Date
    /// The key that the pass is bound to; nil for one that is bound to none, or whose key is guarded.
    var key: StoredSecret?
    /// The name of the guarded key, which is given out for a PIN.
    var guardedKey: String?

    enum CodingKeys: String, CodingKey {
        case hub, token, pass, key
        case guardedKey = "guarded_key"
        case takenAt = "taken_at"
    }

    static let namePrefix = "pass "

    /// The name of the secret.
    var name: String { "\(Self.namePrefix)\(hub) \(pass.guestID)" }
}
