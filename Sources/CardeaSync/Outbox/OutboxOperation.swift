import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// What is asked of the house.
public enum OutboxOperation: Codable, Sendable {
    case control(Control)
    case edit(Edit)
    case withdrawal(Withdrawal)
    case scene(SceneChange)
    /// The house is to remember something.
    case memory(RememberBody)
    /// Something that is asked of the house as it was worded here.
    case request(Request)
    /// A question in plain words. Its answer comes late, and does nothing.
    case question(String)

    /// A thing is to be so.
    public struct Control: Codable, Hashable, Sendable {
        public let deviceID: String
        public let entityID: String?
        public let action: String
        public let value: JSONValue?
        public let transitionTime: Double?
        /// What people call the device.
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

    /// A description is to be another.
    public struct Edit: Codable, Sendable {
        public let change: Change
        /// The version somebody had before their eyes.
        public let seen: Int
        /// What people called it then.
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

    /// A pass is to be paused, or taken back. It keeps until the house has heard: only what lets somebody in has a moment.
    public struct Withdrawal: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Hashable, Sendable { case suspend, revoke }

        public let kind: Kind
        public let guestID: String
        /// What people call the guest.
        public let name: String
    }

    /// A scene is to be made, or to be forgotten as somebody saw it.
    public enum SceneChange: Codable, Sendable {
        case make(SceneBody)
        case remove(sceneID: String, seen: Int, name: String)
    }

    /// The thing it is about: what is asked of the same thing is asked in order.
    public var subject: (kind: DocumentKind, id: String) {
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

    /// What people call that thing.
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
    public var subject: (kind: DocumentKind, id: String) {
        switch change {
        case .room(let id, _): (.room, id)
        case .scene(let id, _): (.scene, id)
        case .device(let id, _): (.device, id)
        }
    }

    /// What it says, as the wire does.
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

    /// The thing as it would be with this.
    func applied(to json: Data) throws -> Data {
        guard case .object(let members)? = JSONValue.read([UInt8](json)), case .object(let said) = try body else { return json }
        return try WireFormat.encode(JSONValue.object(members.merging(said) { _, mine in mine }))
    }

    /// Whether the thing is so already.
    func isDone(in json: Data) throws -> Bool {
        guard let before = JSONValue.read([UInt8](json)) else { return false }
        return try JSONValue.read([UInt8](applied(to: json))) == before
    }

    /// The same wish, of somebody who has seen version `seen`.
    func rebased(seeing seen: Int) -> OutboxOperation.Edit { OutboxOperation.Edit(change: change, seen: seen, name: name) }
}

extension OutboxOperation.Edit.Change {
    /// The same thing, changed to what `body` says.
    func replacingBody(_ body: Data) throws(WireFormat.BodyError) -> Self {
        switch self {
        case .room(let id, _): .room(id, try WireFormat.readBody(RoomBody.self, from: body))
        case .scene(let id, _): .scene(id, try WireFormat.readBody(SceneBody.self, from: body))
        case .device(let id, _): .device(id, try WireFormat.readBody(ChangeDeviceBody.self, from: body))
        }
    }
}
