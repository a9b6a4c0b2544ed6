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
            "The conflict has no field \"\(name)\". Its fields: \(known.joined(separator: ", "))."
        case .invalidValue(.field(let name, let why)): "\(name) \(why)."
        case .invalidValue: "The house does not accept this value."
        }
    }
}
