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
        "The house has a recovery key. With --replace it gets another one: the old one then opens the old backups, and no new ones."
    }
}
