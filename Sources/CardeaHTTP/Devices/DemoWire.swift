import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import NIOCore
import NIOFoundationCompat

/// Devices and events in the words of the seed's client.
struct DemoWire: Sendable {
    let hub: Hub

    func device(_ device: Device) -> DemoDevice {
        DemoDevice(device, room: device.roomID.flatMap { id in hub.house.rooms.first { $0.id == id }?.name })
    }

    /// Nil for what the seed's client has no word for.
    func event(_ event: JournalEvent) -> DemoEvent? {
        switch event.fact {
        case .device(let device, _): said(event, .device(id: device.id, self.device(device)))
        case .deviceGone(let id): said(event, .device(id: id, nil))
        case .command, .guest, .person, .personGone, .house, .scene, .room, .integration, .phone, .event, .eventChanged, .eventGone,
            .camera, .button,
            .tag, .maintenance, .mind:
            nil
        }
    }

    /// An answer to what the client said.
    func answer(_ type: String, _ data: DemoEvent.Content) -> DemoEvent {
        DemoEvent(type: type, data: data, timestamp: hub.surroundings.now())
    }

    func frame(_ event: DemoEvent) throws -> ByteBuffer {
        RealtimeFrame.text(ByteBuffer(data: try Wire.encode(event)))
    }

    private func said(_ event: JournalEvent, _ data: DemoEvent.Content) -> DemoEvent {
        DemoEvent(type: event.name.rawValue, data: data, timestamp: event.at)
    }
}
