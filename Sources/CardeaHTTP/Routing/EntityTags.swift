import CardeaAPI
import CardeaAutomations
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaStore
import Foundation
import HTTPTypes
import Hummingbird

/// Versions of things as entity tags (RFC 9110, section 8.8.3): version 12 is `"12"`.
///
/// A device's tag has its revision behind a dot, `"12.345"`: the answer contains the reported state, so a cached answer becomes stale with
/// it. An edit depends on the description alone and compares only the part before the dot.
extension Request {
    /// Which versions the caller means to change; any, if they do not say.
    func expectedVersion(isDotted: Bool = false) throws -> ExpectedVersion {
        let fields = headers[values: .ifMatch]
        guard !fields.isEmpty else { return .any }
        let tags = fields.joined(separator: ",").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !tags.isEmpty, tags.count <= 16 else {
            throw APIResponseError.validation("If-Match", "must be * or a list of entity tags, such as \"3\"")
        }
        if tags == ["*"] { return .any }
        // A weak tag never matches here, nor does a foreign one.
        return .oneOf(
            Set(
                tags.compactMap { tag in
                    guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
                    let number = tag.dropFirst().dropLast()
                    return Int(isDotted ? number.prefix { $0 != "." } : number)
                }))
    }

    /// Returns whether the caller already has this version, by `If-None-Match`.
    func hasCached(version: some CustomStringConvertible) -> Bool {
        headers[values: .ifNoneMatch].joined(separator: ",").split(separator: ",").contains {
            let tag = $0.trimmingCharacters(in: .whitespaces)
            return tag == "*" || tag == "\"\(version)\"" || tag == "W/\"\(version)\""
        }
    }
}

extension Device {
    /// The value of its entity tag.
    var entityTag: String { "\(version).\(revision)" }
}

extension Response {
    /// The answer with its version's tag.
    func withETag(_ version: some CustomStringConvertible) -> Response {
        var response = self
        response.headers[.eTag] = "\"\(version)\""
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }

    static func notModified(_ version: some CustomStringConvertible) -> Response {
        Response(status: .notModified).withETag(version)
    }
}

extension APIResponseError {
    /// Another caller changed it first: the present version is in the details.
    static func preconditionFailed(_ current: some Encodable, version: Int) -> APIResponseError {
        let current = (try? WireFormat.encode(current)).flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
        var problem = APIResponseError(
            .preconditionFailed, "precondition_failed", "It has changed since you read it (If-Match). Reload it, then try again.",
            details: ["current": current ?? .null, "version": .number(Double(version))])
        problem.version = version
        return problem
    }
}

extension ActivityLog.VersionedItem {
    /// The thing that was changed meanwhile, if a write was refused for that; nil for another error, and for a thing that only its
    /// owner changes.
    init?(staleIn error: any Error) {
        switch error {
        case Devices.EditError.stale(let device, _): self = .device(device.id)
        case Rooms.RoomError.stale(let room): self = .item(room.id, .roomChanged)
        case House.HouseError.stale: self = .item("preferences", .houseChanged)
        case Scenes.SceneError.stale(let scene): self = .item(scene.id, .sceneChanged)
        case MaintenanceTasks.MaintenanceError.stale(let task): self = .item(task.id, .maintenanceChanged)
        case Buttons.ButtonError.stale(let button): self = .item(button.id, .buttonChanged)
        case Automations.AutomationServiceError.stale(let automation): self = .item(automation.id, .automationChanged)
        case Cameras.CameraError.stale(let seen): self = .item(seen.camera.id, .cameraChanged)
        case People.PersonError.stale(let person): self = .item(person.id, .personChanged)
        case MemoryError.stale(let recalled): self = .item(recalled.memory.id, .memoryChanged)
        case is Tags.StalePolicyError: self = .item(nil, .tagChanged)
        default: return nil
        }
    }
}
