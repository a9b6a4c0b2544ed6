import CardeaAPI
import CardeaModel
import Foundation

/// What is told while one listens to a house.
public enum LiveEvent: Sendable {
    /// The house is listened to, from here on without a gap.
    case connected
    /// Nothing is heard until it is tried again, so long from now. What happens meanwhile is told then.
    case interrupted(ClientError, retryIn: Duration)
    /// Everything as it stands, where nothing was known before or what happened since is no longer told.
    case snapshot([DeviceAnswer])
    /// A device as it stands now; `said` is what one of its entities said with this.
    case device(DeviceAnswer, said: SaidData?)
    case deviceRemoved(id: String)
    case command(CommandAnswer)
    /// A pass, somebody, a scene, a room or the house's settings changed: read it anew.
    case changed(DocumentName)
    /// How a connection of the house to the outside stands.
    case integration(name: String, status: String)
    /// What a newer hub tells and this side does not know.
    case other(ChangeEvent)

    public enum DocumentName: Hashable, Sendable {
        case guest(id: String)
        case person(id: String)
        case scene(id: String, removed: Bool)
        case room(id: String, removed: Bool)
        case house
    }
}

extension LiveEvent {
    /// - Throws: where an event of a known name does not say what it must.
    init(_ event: ChangeEvent, said: JSONValue?) throws {
        let data = event.data
        func text(_ member: String) throws -> String {
            guard let text = data[member]?.string else { throw ClientError.invalidResponse("an event says nothing of its \(member)") }
            return text
        }
        func read<Answer: Decodable>(_ json: JSONValue) throws -> Answer { try Wire.read(Answer.self, from: Wire.encode(json)) }
        switch event.event {
        case .deviceUpdate: self = .device(try read(data), said: try said.map { try read($0) })
        case .deviceRemoved: self = .deviceRemoved(id: try text("device_id"))
        case .commandUpdate: self = .command(try read(data))
        case .guestUpdate: self = .changed(.guest(id: try text("guest_id")))
        case .personUpdate: self = .changed(.person(id: try text("person_id")))
        case .houseUpdate: self = .changed(.house)
        case .sceneUpdate: self = .changed(.scene(id: try text("scene_id"), removed: data["removed"]?.bool ?? false))
        case .roomUpdate: self = .changed(.room(id: try text("room_id"), removed: data["removed"]?.bool ?? false))
        case .statusUpdate: self = .integration(name: try text("integration"), status: try text("status"))
        case .batchDeviceUpdate, nil: self = .other(event)
        }
    }
}
