import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

public struct RecoveryKeyExistsError: Error, CustomStringConvertible {
    public init() {}
    public var description: String {
        "The house already has a recovery key. Add --replace to make a new one: the old key then opens old backups only."
    }
}
