import CardeaAPI
import CardeaModel
import Foundation
import NIOCore
import NIOFoundationCompat
import Synchronization

/// The wire form of each device, encoded once per revision and kept, and of its entities those that changed; a list joins bytes.
final class CachedDeviceEncoder: Sendable {
    /// A class, so that passing it on copies one reference, and not all parts of an entity.
    private final class CachedDevice: Sendable {
        let revision: Int
        let room: String?
        let bytes: ByteBuffer
        let entities: [CachedEntity]
        let staticFields: DeviceStaticFields

        init(revision: Int, room: String?, bytes: ByteBuffer, entities: [CachedEntity], make: DeviceStaticFields) {
            self.revision = revision
            self.room = room
            self.bytes = bytes
            self.entities = entities
            self.staticFields = make
        }

        func hasSameStaticFields(like device: Device) -> Bool {
            staticFields.attributes == device.attributes && entities.count == device.entities.count
                && zip(entities, device.entities).allSatisfy { DeviceStaticFields.isSame($0.entity, $1) }
        }
    }

    private final class CachedEntity: Sendable {
        let entity: Entity
        let device: String
        let answer: EntityAnswer
        let text: String

        /// - Parameter device: the name of its device.
        init(_ entity: Entity, on device: String) throws {
            self.entity = entity
            self.device = device
            answer = EntityAnswer(entity, on: device)
            text = try answer.jsonText
        }
    }

    private let format: DeviceFormat
    private let cache = Mutex<[String: CachedDevice]>([:])
    /// The complete list as last requested, by the number of the last change to any device.
    private let cachedList = Mutex<(revision: Int, rooms: [Room], list: ByteBuffer)?>(nil)

    init(form: DeviceFormat = .house) {
        self.format = form
    }

    /// - Parameter isWhole: true if nothing of it is hidden from the caller. Only then is the encoding the same for all callers, and
    ///   cached.
    func encode(_ device: Device, isWhole: Bool = true, rooms: [Room]) throws -> ByteBuffer {
        let room = device.roomID.flatMap { id in rooms.first { $0.id == id }?.name }
        guard isWhole else { return ByteBuffer(bytes: try DeviceAnswer(device, room: room).bytes(form: format)) }
        let known = cache.withLock { $0[device.id] }
        if let known, known.revision == device.revision, known.room == room { return known.bytes }
        let before = known?.entities ?? []
        let entities = try device.entities.enumerated().map { index, entity in
            if before.indices.contains(index), before[index].entity == entity, before[index].device == device.name { return before[index] }
            return try CachedEntity(entity, on: device.name)
        }
        let make = try known.flatMap { $0.hasSameStaticFields(like: device) ? $0.staticFields : nil } ?? DeviceStaticFields(device)
        let answer = DeviceAnswer(device, room: room, entities: entities.map(\.answer), make: make)
        let bytes = ByteBuffer(bytes: try answer.bytes(entities: entities.map(\.text), make: make, form: format))
        cache.withLock { $0[device.id] = CachedDevice(revision: device.revision, room: room, bytes: bytes, entities: entities, make: make) }
        return bytes
    }

    /// Every device. Asked for most, and most often unchanged.
    func encodeAll(_ devices: [Device], revision: Int, rooms: [Room]) throws -> ByteBuffer {
        if let cached = cachedList.withLock({ $0 }), cached.revision == revision, cached.rooms == rooms { return cached.list }
        let list = try encodeList(devices[...], of: devices.count, filters: [:], rooms: rooms)
        cachedList.withLock { $0 = (revision, rooms, list) }
        return list
    }

    /// A page of the devices that fit; the total counts all that fit.
    ///
    /// - Parameter areWhole: true if nothing of a device is hidden from the caller.
    func encodeList(_ fitting: [Device], areWhole: Bool = true, query: DeviceQuery, rooms: [Room]) throws -> ByteBuffer {
        try encodeList(query.page(fitting), areWhole: areWhole, of: fitting.count, filters: query.appliedFilters, rooms: rooms)
    }

    private func encodeList(
        _ devices: ArraySlice<Device>, areWhole: Bool = true, of total: Int, filters: [String: String], rooms: [Room]
    ) throws -> ByteBuffer {
        let parts = try devices.map { try encode($0, isWhole: areWhole, rooms: rooms) }
        let tail = #"],"filters_applied":\#(String(decoding: try WireFormat.encode(filters), as: UTF8.self)),"total":\#(total)}"#
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
