import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Who wants to write or read: as whom, how far they see, whether they look after the house, and how they read temperatures.
public struct MemoryRequester: Sendable {
    public let visibility: AskerVisibility
    /// May change what others told, and what the house learned.
    public let managesHouse: Bool
    /// In which the house's own sentences are told to them.
    public let degrees: TemperatureUnit

    public var key: String { visibility.key }

    public init(sight: AskerVisibility, keepsHouse: Bool, degrees: TemperatureUnit = .celsius) {
        self.visibility = sight
        self.managesHouse = keepsHouse
        self.degrees = degrees
    }

    /// Somebody of the house, by the rights that they have everywhere.
    public init(_ person: Person, degrees: TemperatureUnit = .celsius) {
        self.init(sight: AskerVisibility(of: person), keepsHouse: person.rights.contains(.modifySettings), degrees: degrees)
    }

    func canChange(_ memory: Memory) -> Bool { managesHouse || memory.person == key }
}
