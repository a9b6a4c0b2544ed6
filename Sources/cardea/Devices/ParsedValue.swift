import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

/// A typed value: JSON if it is valid JSON, else a string.
struct ParsedValue: ExpressibleByArgument {
    let json: JSONValue

    init?(argument: String) {
        let parsed = try? JSONDecoder().decode(JSONValue.self, from: Data(argument.utf8))
        json = parsed ?? .string(argument)
    }
}
