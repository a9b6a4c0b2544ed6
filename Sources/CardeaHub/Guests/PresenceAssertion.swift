import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// The assertion of an authenticator that verified the phone's user, and the name of the page that it was made for.
public struct PresenceAssertion: Hashable, Sendable {
    let clientDataJSON: Data
    let authenticatorData: Data
    let signature: Data
    let party: RelyingParty

    public init(clientDataJSON: Data, authenticatorData: Data, signature: Data, at party: RelyingParty) {
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.party = party
    }
}
