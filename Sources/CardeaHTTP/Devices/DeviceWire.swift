import CardeaAPI
import CardeaModel
import Foundation
import NIOCore
import NIOFoundationCompat
import Synchronization

/// The wire form of each device, encoded once per revision and kept, and of its entities those that changed; a list joins bytes.
final class DeviceWire: Sendable {
    /// A class, and so is what it holds: to hand one on is to hand on one reference, and not all that an entity is made of.
    private final class Kept: Sendable {
        let revision: Int
        let room: String?
        let bytes: ByteBuffer
        let entities: [KeptEntity]
        let make: DeviceMake

        init(revision: Int, room: String?, bytes: ByteBuffer, entities: [KeptEntity], make: DeviceMake) {
            self.revision = revision
            self.room = room
            self.bytes = bytes
            self.entities = entities
            self.make = make
        }

        func isMade(like device: Device) -> Bool {
            make.attributes == device.attributes && entities.count == device.entities.count
                && zip(entities, device.entities).allSatisfy { DeviceMake.isSame($0.entity, $1) }
        }
    }

    private final class KeptEntity: Sendable {
        let entity: Entity
        let device: String
        let answer: EntityAnswer
        let text: String

        /// - Parameter device: the name of its device.
        init(_ entity: Entity, on device: String) throws {
            self.entity = entity
            self.device = device
            answer = EntityAnswer(entity, on: device)
            text = try answer.text
        }
    }

    private let form: DeviceForm
    private let kept = Mutex<[String: Kept]>([:])
    /// The whole list as it was last asked for, by the number of the last change to any device.
    private let whole = Mutex<(revision: Int, rooms: [Room], list: ByteBuffer)?>(nil)

    init(form: DeviceForm = .house) {
        self.form = form
    }

    /// - Parameter isWhole: whether nothing of it is held back from whoever asks. Only then is it the same for everybody, and kept.
    func one(_ device: Device, isWhole: Bool = true, rooms: [Room]) throws -> ByteBuffer {
        let room = device.roomID.flatMap { id in rooms.first { $0.id == id }?.name }
        guard isWhole else { return ByteBuffer(bytes: try DeviceAnswer(device, room: room).bytes(form: form)) }
        let known = kept.withLock { $0[device.id] }
        if let known, known.revision == device.revision, known.room == room { return known.bytes }
        let before = known?.entities ?? []
        let entities = try device.entities.enumerated().map { index, entity in
            if before.indices.contains(index), before[index].entity == entity, before[index].device == device.name { return before[index] }
            return try KeptEntity(entity, on: device.name)
        }
        let make = try known.flatMap { $0.isMade(like: device) ? $0.make : nil } ?? DeviceMake(device)
        let answer = DeviceAnswer(device, room: room, entities: entities.map(\.answer), make: make)
        let bytes = ByteBuffer(bytes: try answer.bytes(entities: entities.map(\.text), make: make, form: form))
        kept.withLock { $0[device.id] = Kept(revision: device.revision, room: room, bytes: bytes, entities: entities, make: make) }
        return bytes
    }

    /// Every device. Asked for most, and most often unchanged.
    func whole(_ devices: [Device], revision: Int, rooms: [Room]) throws -> ByteBuffer {
        if let kept = whole.withLock({ $0 }), kept.revision == revision, kept.rooms == rooms { return kept.list }
        let list = try list(devices[...], of: devices.count, filters: [:], rooms: rooms)
        whole.withLock { $0 = (revision, rooms, list) }
        return list
    }

    /// A page of those that fit; the total counts all that fit.
    ///
    /// - Parameter areWhole: whether nothing of a device is held back from whoever asks.
    func list(_ fitting: [Device], areWhole: Bool = true, query: DevicesQuery, rooms: [Room]) throws -> ByteBuffer {
        try list(query.page(fitting), areWhole: areWhole, of: fitting.count, filters: query.applied, rooms: rooms)
    }

    private func list(
        _ devices: ArraySlice<Device>, areWhole: Bool = true, of total: Int, filters: [String: String], rooms: [Room]
    ) throws -> ByteBuffer {
        let parts = try devices.map { try one($0, isWhole: areWhole, rooms: rooms) }
        let tail = #"],"filters_applied":\#(String(decoding: try Wire.encode(filters), as: UTF8.self)),"total":\#(total)}"#
        var list = ByteBufferAllocator().buffer(capacity: parts.reduce(16 + tail.utf8.count) { $0 + $1.readableBytes + 1 })
        list.writeStaticString(#"{"devices":["#)
        for (index, part) in parts.enumerated() {
            if index > 0 { list.writeStaticString(",") }
            list.writeImmutableBuffer(part)
        }
        list.writeString(tail)
        return list
    }
}
