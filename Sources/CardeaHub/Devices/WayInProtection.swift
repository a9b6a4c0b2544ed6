import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Keeps ways in protected whatever is announced, in the transaction of each announcement and of each decision of the household.
enum WayInProtection {
    /// Applies the announcement of a device's entities.
    ///
    /// - Parameter device: as announced, with the wiring of its entities and the household's marks.
    /// - Returns: other devices of which an entity became a way in through it, as they were before.
    static func applyAnnouncement(_ device: Device, at now: Date, in db: Database) throws -> [Device] {
        // Devices that the household made itself are trusted.
        guard ![ButtonDevice.integration, Device.planned].contains(device.integration) else { return [] }
        var others: [String: Device] = [:]
        let isSecurity =
            try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT is_security_device FROM devices WHERE id = ?"), arguments: [device.id]) ?? false
        for entity in device.entities {
            guard let wiring = entity.wiring, try WayInRecords.announcedWiring(entity.id, db) != wiring else { continue }
            try WayInRecords.announce(wiring, of: entity.id, in: db)
        }
        // Ways in first: an entity that shares a topic with one of them came with it, and not before it.
        for entity in device.entities.filter(\.isDeclaredWayIn) + device.entities.filter({ !$0.isDeclaredWayIn }) {
            let turned = try applyAnnouncement(entity, isSecurity: isSecurity, at: now, in: db)
            others.merge(turned) { first, _ in first }
        }
        others[device.id] = nil
        return others.values.sorted { $0.id < $1.id }
    }

    private static func applyAnnouncement(_ entity: Entity, isSecurity: Bool, at now: Date, in db: Database) throws -> [String: Device] {
        func holder() throws -> WayInMemory.Holder? {
            try WayInRecords.strictestHolder(near: entity.wiring?.topics ?? [], except: entity.id, db)
        }
        let before = try WayInRecords.memory(of: entity.id, db)
        var after = before
        if after == nil {
            after = WayInMemory(isOwn: entity.isDeclaredWayIn, isSecurity: isSecurity, wiring: entity.wiring, holder: try holder())
        } else {
            try after?.update(entity.wiring, isOwn: entity.isDeclaredWayIn, isSecurity: isSecurity, holder: holder)
        }
        guard let after, after != before else { return [:] }
        return try write(after, over: before, of: entity.id, called: entity.name, at: now, in: db)
    }

    /// Writes the memory of an entity, notifies the people who look after the house if an entity was closed by it, and includes entities
    /// that share its topics.
    ///
    /// - Returns: the devices of the included entities, as they were before.
    static func write(
        _ memory: WayInMemory, over before: WayInMemory?, of entityID: String, called name: String, at now: Date, in db: Database
    ) throws -> [String: Device] {
        let isChanged = before == nil || memory.announced != before?.announced || memory.shares != before?.shares
        try WayInRecords.write(memory, of: entityID, isChanged: isChanged, at: now, in: db)
        if memory.restrictions.isClosed, before?.restrictions.isClosed != true || memory.announced != before?.announced {
            try notifyClosed(memory, entityID, name, at: now, in: db)
        }
        guard memory.holdsTopics else { return [:] }
        var others: [String: Device] = [:]
        for stranger in try WayInRecords.unremembered(near: memory.topics, except: entityID, db) {
            guard let device = try DeviceRecords.one(stranger.deviceID, db),
                let entity = device.entities.first(where: { $0.id == stranger.entityID })
            else { continue }
            let holder = WayInMemory.Holder(entityID: entityID, isSecurity: memory.isSecurity)
            let wiring = try WayInRecords.announcedWiring(entity.id, db)
            guard let shared = WayInMemory(isOwn: false, isSecurity: device.isSecurityDevice, wiring: wiring, holder: holder) else {
                continue
            }
            others[device.id] = others[device.id] ?? device
            try WayInRecords.write(shared, of: entity.id, isChanged: true, at: now, in: db)
            try notifyClosed(shared, entity.id, entity.name, at: now, in: db)
        }
        return others
    }

    /// The device became a security device: its ways in are remembered as such, even if it no longer is one, and entities that share their
    /// topics are protected as strictly.
    ///
    /// - Returns: other devices that this changes, as they were before.
    static func markSecurityDevice(_ deviceID: String, at now: Date, in db: Database) throws -> [Device] {
        var others: [String: Device] = [:]
        for sharer in try WayInRecords.sharingTopics(of: deviceID, db) {
            guard var memory = try WayInRecords.memory(of: sharer.entityID, db), !memory.isSecurity else { continue }
            if let id = sharer.deviceID, id != deviceID, others[id] == nil { others[id] = try DeviceRecords.one(id, db) }
            memory.markSecurity()
            try WayInRecords.write(memory, of: sharer.entityID, isChanged: false, at: now, in: db)
        }
        return others.values.sorted { $0.id < $1.id }
    }

    private static func notifyClosed(_ memory: WayInMemory, _ entityID: String, _ name: String, at now: Date, in db: Database) throws {
        let words =
            memory.restrictions.isRewired
            ? "“\(name)” is announced with other topics or payloads than before. Guests and tags cannot open it until you confirm on its page that it is the same door."
            : "“\(name)” is announced on a topic of a way in, \(memory.shares ?? ""), so it counts as one. Guests and tags cannot use it until you confirm on its page what it is."
        try Journal.append(
            .mindChanged, subject: "way-in:\(entityID):\(now.milliseconds)",
            data: [
                "notice": .string(NoticeKind.unusual.rawValue), "words": .string(words), "needs": .string(Right.modifySettings.rawValue),
            ], at: now, in: db)
    }
}
