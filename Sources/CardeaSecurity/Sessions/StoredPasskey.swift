import Crypto
import Foundation

/// A passkey as it is kept.
public struct StoredPasskey: Sendable {
    public let publicKey: Data
    public let signCount: UInt32
    public let isBackupEligible: Bool

    public init(publicKey: Data, signCount: UInt32, isBackupEligible: Bool) {
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
    }
}
