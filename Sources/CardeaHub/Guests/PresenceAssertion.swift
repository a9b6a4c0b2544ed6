import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// What an authenticator said when it had verified whoever holds the phone, and for the page of which name.
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
