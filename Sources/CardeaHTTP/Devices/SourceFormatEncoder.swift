import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import NIOCore
import NIOFoundationCompat

/// Devices and events in the words of the seed's client.
struct SourceFormatEncoder: Sendable {
    let hub: Hub

    func device(_ device: Device) -> DemoDevice {
        DemoDevice(device, room: device.roomID.flatMap { id in hub.house.rooms.first { $0.id == id }?.name })
    }

    /// The subjects that the seed's client can subscribe to.
    enum Subject: String, CaseIterable, Sendable {
        case consciousness, devices, interview
    }

    /// Nil for events that the seed's client does not know.
    func subject(of event: JournalEvent) -> Subject? {
        switch event.fact {
        case .device, .deviceRemoved: .devices
        case .mind(let news):
            switch news.part {
            case .asked, .standing: .consciousness
            case .interview: .interview
            case .memory, .twin, .automation: nil
            }
        case .command, .guest, .person, .personErased, .house, .scene, .room, .integration, .phone, .event, .eventUpdated, .eventRemoved,
            .camera, .button,
            .tag, .maintenance:
            nil
        }
    }

    /// Returns whether the event says that the house's status changed. The new status is not in the event and has to be queried.
    func isStatusUpdate(_ event: JournalEvent) -> Bool {
        guard case .mind(let news) = event.fact else { return false }
        return news.part == .standing
    }

    /// Nil for an event that the seed's client does not know.
    ///
    /// - Parameter standing: the house's present status, if it was queried.
    func event(_ event: JournalEvent, consciousness: ConsciousnessAnswer?) -> DemoEvent? {
        switch event.fact {
        case .device(let device, _): return makeEvent(event, .device(id: device.id, self.device(device)))
        case .deviceRemoved(let id): return makeEvent(event, .device(id: id, nil))
        case .mind(let news):
            if news.part == .standing { return consciousness.map { makeEvent(event, .status($0)) } }
            guard subject(of: event) != nil else { return nil }
            let which: [String: JSONValue] = news.id.map { [news.part.idField: .string($0)] } ?? [:]
            return makeEvent(event, .members(which.merging(news.data) { own, _ in own }))
        default: return nil
        }
    }

    /// Runs of devices that changed together, as one message each. Everything else, and a device that changed alone, stays as it is.
    func batched(_ unbatched: [DemoEvent]) -> [DemoEvent] {
        var events: [DemoEvent] = []
        var run: [DemoEvent] = []
        func close() {
            if run.count > 1, let last = run.last {
                let name = JournalEvent.Name.batchDeviceUpdate.rawValue
                events.append(DemoEvent(type: name, data: .devices(run.map(\.data)), timestamp: last.timestamp))
            } else {
                events += run
            }
            run = []
        }
        for event in unbatched {
            let isUpdate = event.type == JournalEvent.Name.deviceUpdate.rawValue
            if !isUpdate || run.count == RealtimeEventEncoder.batchLimit { close() }
            if isUpdate { run.append(event) } else { events.append(event) }
        }
        close()
        return events
    }

    /// A reply to a client's message.
    func reply(_ type: String, _ data: DemoEvent.Content) -> DemoEvent {
        DemoEvent(type: type, data: data, timestamp: hub.environment.now())
    }

    func frame(_ event: DemoEvent) throws -> ByteBuffer {
        RealtimeFrame.textFrame(ByteBuffer(data: try WireFormat.encode(event)))
    }

    private func makeEvent(_ event: JournalEvent, _ data: DemoEvent.Content) -> DemoEvent {
        DemoEvent(type: event.name.rawValue, data: data, timestamp: event.at)
    }
}
