import ArgumentParser
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// The protection of the key, for `--json`.
struct KeyReport: Encodable {
    let place: String
    let protection: String
    let words: String

    init(_ protection: KeyProtection) {
        (place, self.protection, words) = (protection.location.rawValue, protection.level, protection.text)
    }
}
