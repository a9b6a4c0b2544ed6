import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

/// A value as typed: JSON where it is JSON, a word where it is not.
struct ParsedValue: ExpressibleByArgument {
    let json: JSONValue

    init?(argument: String) {
        let parsed = try? JSONDecoder().decode(JSONValue.self, from: Data(argument.utf8))
        json = parsed ?? .string(argument)
    }
}
