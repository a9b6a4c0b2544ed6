import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import NIOCore
import NIOFoundationCompat

/// Events in the wire's words.
struct RealtimeEventEncoder: Sendable {
    let hub: Hub
    let devices: CachedDeviceEncoder

    /// `{"seq","type","data","timestamp"}`; beside a device the new state of one of its entities.
    func payload(_ event: JournalEvent, isWhole: Bool) throws -> ByteBuffer {
        var reported: String?
        if case .device(_, let report?) = event.fact {
            reported = try StateReportData(entityID: report.entityID, state: report.state.value, attributes: report.state.attributes)
                .jsonText
        }
        var data = try data(event.fact, isWhole: isWhole)
        var buffer = ByteBufferAllocator().buffer(capacity: data.readableBytes + 256)
        buffer.writeString(#"{"seq":\#(event.seq),"type":"\#(event.name.rawValue)","data":"#)
        buffer.writeBuffer(&data)
        if let reported {
            buffer.writeStaticString(#","change":"#)
            buffer.writeString(reported)
        }
        buffer.writeString(#","timestamp":"\#(Timestamp.text(event.at))"}"#)
        return buffer
    }

    func frame(_ event: JournalEvent, isWhole: Bool) throws -> RealtimeFrame {
        RealtimeFrame(seq: event.seq, name: event.name.rawValue, payload: try payload(event, isWhole: isWhole))
    }

    /// The maximum number of events in a batch, so that no message exceeds what a socket accepts at once.
    static let batchLimit = 64

    /// Combines runs of device changes into one message each, with the number of its last event: a client that resumes with it has all of
    /// them. Everything else, and a single device change, stays as it is.
    static func batched(_ events: [(event: JournalEvent, frame: RealtimeFrame)], as form: DeviceFormat) -> [RealtimeFrame] {
        var frames: [RealtimeFrame] = []
        var run: [(event: JournalEvent, frame: RealtimeFrame)] = []
        func close() {
            if let last = run.last {
                frames.append(run.count == 1 ? last.frame : batch(run.map(\.frame.batchPart), upTo: last.event, as: form))
            }
            run = []
        }
        for one in events {
            if one.event.name != .deviceUpdate || run.count == batchLimit { close() }
            if one.event.name == .deviceUpdate { run.append(one) } else { frames.append(one.frame) }
        }
        close()
        return frames
    }

    /// `{"seq","type":"batch_device_update","data":{"events":[…]},"timestamp"}`; in the second form `devices`, and no number.
    private static func batch(_ parts: [ByteBuffer], upTo last: JournalEvent, as form: DeviceFormat) -> RealtimeFrame {
        let name = JournalEvent.Name.batchDeviceUpdate.rawValue
        var buffer = ByteBufferAllocator().buffer(capacity: parts.reduce(128) { $0 + $1.readableBytes + 1 })
        switch form {
        case .house: buffer.writeString(#"{"seq":\#(last.seq),"type":"\#(name)","data":{"events":["#)
        case .source: buffer.writeString(#"{"type":"\#(name)","data":{"devices":["#)
        }
        for (index, part) in parts.enumerated() {
            if index > 0 { buffer.writeStaticString(",") }
            buffer.writeImmutableBuffer(part)
        }
        buffer.writeString(#"]},"timestamp":"\#(Timestamp.text(last.at))"}"#)
        return RealtimeFrame(seq: last.seq, name: name, payload: buffer)
    }

    /// `{"type":"snapshot","seq","devices":[…],"timestamp"}`
    func snapshot(_ list: [Device], seq: Int64, isWhole: Bool) throws -> RealtimeFrame {
        let parts = try list.map { try device($0, isWhole: isWhole) }
        var buffer = ByteBufferAllocator().buffer(capacity: parts.reduce(128) { $0 + $1.readableBytes + 1 })
        buffer.writeString(#"{"type":"snapshot","seq":\#(seq),"devices":["#)
        for (index, part) in parts.enumerated() {
            if index > 0 { buffer.writeStaticString(",") }
            buffer.writeImmutableBuffer(part)
        }
        buffer.writeString(#"],"timestamp":"\#(Timestamp.text(hub.environment.now()))"}"#)
        return RealtimeFrame(seq: seq, name: "snapshot", payload: buffer)
    }

    static func subscribed(_ seq: Int64) -> RealtimeFrame {
        message("subscribed", #"{"type":"subscribed","seq":\#(seq)}"#)
    }

    /// History between two numbers is gone; a snapshot follows.
    static func gap(from: Int64, to: Int64) -> RealtimeFrame {
        message("gap", #"{"type":"gap","from":\#(from),"to":\#(to)}"#)
    }

    static let pong = message("pong", #"{"type":"pong"}"#)

    static func error(_ code: String, _ message: String) -> RealtimeFrame {
        // Only our own constant texts are passed here, and none contains a quotation mark.
        Self.message("error", #"{"type":"error","code":"\#(code)","message":"\#(message)"}"#)
    }

    private static func message(_ name: String, _ text: String) -> RealtimeFrame {
        RealtimeFrame(seq: nil, name: name, payload: ByteBuffer(string: text))
    }

    private func data(_ fact: JournalEvent.Fact, isWhole: Bool) throws -> ByteBuffer {
        switch fact {
        case .device(let device, _): return try self.device(device, isWhole: isWhole)
        case .deviceRemoved(let id): return ByteBuffer(data: try WireFormat.encode(DeviceRemovedData(deviceID: id)))
        case .command(let command): return ByteBuffer(string: try CommandResponses.answer(command).jsonText)
        case .guest(let id, let data): return try object(["guest_id": .string(id)].merging(data) { own, _ in own })
        case .person(let id), .personErased(let id): return try object(["person_id": .string(id)])
        case .house(let data): return try object(data)
        case .scene(let id, let removed): return try object(["scene_id": .string(id), "removed": .bool(removed)])
        case .integration(let name, let data): return try object(["integration": .string(name)].merging(data) { own, _ in own })
        case .phone(let id, let person): return try object(["id": .string(id), "waits": .bool(person == nil)])
        case .event(let event), .eventUpdated(let event): return ByteBuffer(data: try WireFormat.encode(EventSummary(event)))
        case .eventRemoved(let id): return try object(["event_id": .string(id)])
        case .camera(let id, let data): return try object(["camera_id": .string(id)].merging(data) { own, _ in own })
        case .button(let id, let removed): return try object(["button_id": .string(id), "removed": .bool(removed)])
        case .maintenance(let id, let removed): return try object(["task_id": .string(id), "removed": .bool(removed)])
        case .tag(let id, let data): return try object((id.map { ["tag_id": .string($0)] } ?? [:]).merging(data) { own, _ in own })
        case .mind(let news):
            return try object((news.id.map { [news.part.idField: .string($0)] } ?? [:]).merging(news.data) { own, _ in own })
        case .room(let id, let removed): return try object(["room_id": .string(id), "removed": .bool(removed)])
        }
    }

    private func object(_ members: [String: JSONValue]) throws -> ByteBuffer {
        ByteBuffer(data: try WireFormat.encode(JSONValue.object(members)))
    }

    /// A whole device is kept encoded; a part of one, as a pass sees it, is not.
    private func device(_ device: Device, isWhole: Bool) throws -> ByteBuffer {
        let rooms = hub.house.rooms
        return try devices.encode(device, isWhole: isWhole, rooms: rooms)
    }
}
