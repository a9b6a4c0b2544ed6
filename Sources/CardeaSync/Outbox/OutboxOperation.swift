import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// An operation for the house to carry out.
public enum OutboxOperation: Codable, Sendable {
    case control(Control)
    case edit(Edit)
    case withdrawal(Withdrawal)
    case scene(SceneChange)
    /// Adds a memory.
    case memory(RememberBody)
    /// A request in the wire's form.
    case request(Request)
    /// A question in plain words. Its answer comes late, and does nothing.
    case question(String)

    /// A command for a device.
    public struct Control: Codable, Hashable, Sendable {
        public let deviceID: String
        public let entityID: String?
        public let action: String
        public let value: JSONValue?
        public let transitionTime: Double?
        /// The device's name.
        public let name: String

        init(_ command: DeviceCommand, name: String) {
            deviceID = command.deviceID
            entityID = command.entityID
            action = command.action
            value = command.value
            transitionTime = command.transitionTime
            self.name = name
        }
    }

    /// A change of a description.
    public struct Edit: Codable, Sendable {
        public let change: Change
        /// The version that the person saw.
        public let seen: Int
        /// The name at that time.
        public let name: String

        public enum Change: Codable, Sendable {
            case room(String, RoomBody)
            case scene(String, SceneBody)
            case device(String, ChangeDeviceBody)
        }

        public init(change: Change, seen: Int, name: String) {
            self.change = change
            self.seen = seen
            self.name = name
        }
    }

    /// Suspends or revokes a pass. It waits without limit: only an operation that lets a person in has a time limit.
    public struct Withdrawal: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Hashable, Sendable { case suspend, revoke }

        public let kind: Kind
        public let guestID: String
        /// The guest's name.
        public let name: String
    }

    /// Creates a scene, or deletes the version that the person saw.
    public enum SceneChange: Codable, Sendable {
        case make(SceneBody)
        case remove(sceneID: String, seen: Int, name: String)
    }

    /// The operation's subject: operations on the same subject are sent in order.
    public var subject: (kind: ReplicaDocumentKind, id: String) {
        switch self {
        case .control(let control): (.device, control.deviceID)
        case .edit(let edit): edit.subject
        case .withdrawal(let withdrawal): (.guest, withdrawal.guestID)
        case .scene(.make(let body)): (.scene, "new/\(body.name)")
        case .scene(.remove(let id, _, _)): (.scene, id)
        case .memory(let body): (.memory, "new/\(body.content)")
        case .request(let request): request.subject
        case .question(let words): (.question, "new/\(words)")
        }
    }

    /// The name of the operation's subject.
    public var name: String {
        switch self {
        case .control(let control): control.name
        case .edit(let edit): edit.name
        case .withdrawal(let withdrawal): withdrawal.name
        case .scene(.make(let body)): body.name
        case .scene(.remove(_, _, let name)): name
        case .memory(let body): body.title ?? String(body.content.prefix(60))
        case .request(let request): request.name
        case .question(let words): String(words.prefix(60))
        }
    }
}

extension OutboxOperation.Edit {
    public var subject: (kind: ReplicaDocumentKind, id: String) {
        switch change {
        case .room(let id, _): (.room, id)
        case .scene(let id, _): (.scene, id)
        case .device(let id, _): (.device, id)
        }
    }

    /// The body of the change, as on the wire.
    var body: JSONValue {
        get throws {
            let data =
                switch change {
                case .room(_, let body): try WireFormat.encode(body)
                case .scene(_, let body): try WireFormat.encode(body)
                case .device(_, let body): try WireFormat.encode(body)
                }
            return JSONValue.read([UInt8](data)) ?? .null
        }
    }

    /// The object with this change applied.
    func applied(to json: Data) throws -> Data {
        guard case .object(let members)? = JSONValue.read([UInt8](json)), case .object(let edited) = try body else { return json }
        return try WireFormat.encode(JSONValue.object(members.merging(edited) { _, mine in mine }))
    }

    /// Returns whether the change would leave `json` as it is.
    func isDone(in json: Data) throws -> Bool {
        guard let before = JSONValue.read([UInt8](json)) else { return false }
        return try JSONValue.read([UInt8](applied(to: json))) == before
    }

    /// The same edit, based on version `seen`.
    func rebased(seeing seen: Int) -> OutboxOperation.Edit { OutboxOperation.Edit(change: change, seen: seen, name: name) }
}

extension OutboxOperation.Edit.Change {
    /// The same subject with the change in `body`.
    func replacingBody(_ body: Data) throws(WireFormat.BodyError) -> Self {
        switch self {
        case .room(let id, _): .room(id, try WireFormat.readBody(RoomBody.self, from: body))
        case .scene(let id, _): .scene(id, try WireFormat.readBody(SceneBody.self, from: body))
        case .device(let id, _): .device(id, try WireFormat.readBody(ChangeDeviceBody.self, from: body))
        }
    }
}
