import CardeaAPI
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// Versions of things as entity tags (RFC 9110, section 8.8.3): version 12 is `"12"`.
extension Request {
    /// Which versions the caller means to change; any, where they do not say.
    func seen() throws -> SeenVersion {
        let fields = headers[values: .ifMatch]
        guard !fields.isEmpty else { return .any }
        let tags = fields.joined(separator: ",").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !tags.isEmpty, tags.count <= 16 else { throw Problem.validation("If-Match", "is * or a list of entity tags") }
        if tags == ["*"] { return .any }
        // A weak tag never matches here, nor does one that is not ours.
        return .oneOf(
            Set(tags.compactMap { $0.count > 2 && $0.hasPrefix("\"") && $0.hasSuffix("\"") ? Int($0.dropFirst().dropLast()) : nil }))
    }

    /// Whether the caller has this version already.
    func knows(version: Int) -> Bool {
        headers[values: .ifNoneMatch].joined(separator: ",").split(separator: ",").contains {
            let tag = $0.trimmingCharacters(in: .whitespaces)
            return tag == "*" || tag == "\"\(version)\"" || tag == "W/\"\(version)\""
        }
    }
}

extension Response {
    /// The answer with its version's tag.
    func tagged(_ version: Int) -> Response {
        var response = self
        response.headers[.eTag] = "\"\(version)\""
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    static func notModified(_ version: Int) -> Response {
        Response(status: .notModified).tagged(version)
    }
}

extension Problem {
    /// Somebody else was faster: what they made of it is in the details.
    static func stale(_ current: some Encodable, version: Int) -> Problem {
        let current = (try? Wire.encode(current)).flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
        var problem = Problem(
            .preconditionFailed, "precondition_failed", "It was changed meanwhile. Look at the current one, then try again.",
            details: ["current": current ?? .null, "version": .number(Double(version))])
        problem.version = version
        return problem
    }
}
