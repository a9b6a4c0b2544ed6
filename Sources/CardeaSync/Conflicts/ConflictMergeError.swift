import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The reason why two versions cannot be merged as requested.
public enum ConflictMergeError: Error, Hashable, Sendable, LocalizedError {
    case unknownMember(String, known: [String])
    case invalidValue(WireFormat.BodyError)

    public var errorDescription: String? {
        switch self {
        case .unknownMember(let name, let known):
            "There is nothing called \"\(name)\" to decide. There is: \(known.joined(separator: ", "))."
        case .invalidValue(.field(let name, let why)): "\(name) \(why)."
        case .invalidValue: "What it was to become is not what the house takes."
        }
    }
}
