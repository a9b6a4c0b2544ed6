import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The person who wants to read or write: their visibility, whether they administer the house, and their temperature unit.
public struct MemoryRequester: Sendable {
    public let visibility: RequesterVisibility
    /// True if they may change memories of other people, and habits.
    public let managesHouse: Bool
    /// The temperature unit of the house's own sentences for them.
    public let degrees: TemperatureUnit

    public var key: String { visibility.key }

    public init(visibility: RequesterVisibility, keepsHouse: Bool, degrees: TemperatureUnit = .celsius) {
        self.visibility = visibility
        self.managesHouse = keepsHouse
        self.degrees = degrees
    }

    /// A person of the household, with the rights that they have everywhere.
    public init(_ person: Person, degrees: TemperatureUnit = .celsius) {
        self.init(visibility: RequesterVisibility(of: person), keepsHouse: person.rights.contains(.modifySettings), degrees: degrees)
    }

    func canChange(_ memory: Memory) -> Bool { managesHouse || memory.person == key }
}
