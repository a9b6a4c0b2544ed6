import ArgumentParser
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// How the key is kept, as JSON says it.
struct KeyReport: Encodable {
    let place: String
    let protection: String
    let words: String

    init(_ protection: KeyProtection) {
        (place, self.protection, words) = (protection.location.rawValue, protection.level, protection.text)
    }
}
