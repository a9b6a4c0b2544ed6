import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaStore
import Foundation
import HTTPTypes
import Hummingbird

/// Versions of things as entity tags (RFC 9110, section 8.8.3): version 12 is `"12"`.
///
/// A device's tag has its revision behind a dot, `"12.345"`: what it says of itself is in the answer, so a kept answer grows old with it,
/// while an edit waits for the description alone and looks only at what stands before the dot.
extension Request {
    /// Which versions the caller means to change; any, where they do not say.
    func seen(isDotted: Bool = false) throws -> SeenVersion {
        let fields = headers[values: .ifMatch]
        guard !fields.isEmpty else { return .any }
        let tags = fields.joined(separator: ",").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !tags.isEmpty, tags.count <= 16 else { throw Problem.validation("If-Match", "is * or a list of entity tags") }
        if tags == ["*"] { return .any }
        // A weak tag never matches here, nor does one that is not ours.
        return .oneOf(
            Set(
                tags.compactMap { tag in
                    guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
                    let number = tag.dropFirst().dropLast()
                    return Int(isDotted ? number.prefix { $0 != "." } : number)
                }))
    }

    /// Whether the caller has this version already.
    func knows(version: some CustomStringConvertible) -> Bool {
        headers[values: .ifNoneMatch].joined(separator: ",").split(separator: ",").contains {
            let tag = $0.trimmingCharacters(in: .whitespaces)
            return tag == "*" || tag == "\"\(version)\"" || tag == "W/\"\(version)\""
        }
    }
}

extension Device {
    /// What stands in its entity tag.
    var tag: String { "\(version).\(revision)" }
}

extension Response {
    /// The answer with its version's tag.
    func tagged(_ version: some CustomStringConvertible) -> Response {
        var response = self
        response.headers[.eTag] = "\"\(version)\""
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    static func notModified(_ version: some CustomStringConvertible) -> Response {
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

extension Activity.Changed {
    /// The thing that was changed meanwhile, where a write was refused for that; nil for another error, and for a thing that only its
    /// owner changes.
    init?(staleIn error: any Error) {
        switch error {
        case Devices.EditProblem.stale(let device, _): self = .device(device.id)
        case Rooms.Problem.stale(let room): self = .thing(room.id, .roomChanged)
        case House.Problem.stale: self = .thing("preferences", .houseChanged)
        case Scenes.Problem.stale(let scene): self = .thing(scene.id, .sceneChanged)
        case Maintenance.Problem.stale(let task): self = .thing(task.id, .maintenanceChanged)
        case Buttons.Problem.stale(let button): self = .thing(button.id, .buttonChanged)
        case Automations.Problem.stale(let automation): self = .thing(automation.id, .automationChanged)
        case Cameras.Problem.stale(let seen): self = .thing(seen.camera.id, .cameraChanged)
        case People.Problem.stale(let person): self = .thing(person.id, .personChanged)
        case MemoryProblem.stale(let recalled): self = .thing(recalled.memory.id, .memoryChanged)
        case is Tags.StalePolicy: self = .thing(nil, .tagChanged)
        default: return nil
        }
    }
}
