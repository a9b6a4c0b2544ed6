import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// The hub's actions for a person who adds devices. They are done in that person's name and by their rights.
public struct HubInterviewActuator: InterviewActuator {
    private let hub: Hub
    private let principal: Principal
    private let origin: RequestOrigin
    private let rights: Set<Right>

    /// - Parameters:
    ///   - person: the present record of the person.
    ///   - principal: the same person as the requester.
    public init(_ hub: Hub, of person: Person, by principal: Principal, origin: RequestOrigin) {
        self.hub = hub
        self.principal = principal
        self.origin = origin
        rights = person.rights
    }

    /// HomeKit devices found by Bonjour, for people who may set up integrations. Home Assistant is not a device, and a Matter device is
    /// known there only by a number that people would not recognise.
    public func nearbyDevices() async throws -> [DiscoveredDevice] {
        guard rights.contains(.modifySettings) else { return [] }
        let things = try await hub.integrations.nearby(seenBy: principal).snapshot.services
        return things.filter { $0.kind == .homeKit }.map { thing in
            DiscoveredDevice(
                id: "mdns:\(thing.kind.rawValue):\(thing.name)", name: thing.name, model: thing.model, category: thing.category,
                source: .mdns)
        }
    }

    public func connectedIntegrations() async -> Set<String> { hub.integrations.running }

    /// Checks the rights. Adding a device needs the right to hold the conversation at all; renaming an existing device, or making a room,
    /// needs the right to change the house.
    public func authorize(_ devices: [Interview.DeviceDraft]) async throws {
        let rooms = try await hub.mindFeed.snapshot().rooms
        let changes = devices.contains { device in
            let place = existingRoomID(device, rooms)
            if place == nil, case .new = device.room { return true }
            return device.deviceID.flatMap { hub.devices.device($0) }.flatMap { Self.changes($0, to: device, in: place) } != nil
        }
        guard changes, !rights.contains(.modifySettings) else { return }
        _ = try await hub.mindFeed.requester(principal, for: "interview.confirm", needing: .modifySettings, origin: origin)
    }

    public func createDevice(_ device: Interview.DeviceDraft, key: String) async throws -> Interview.CreatedDevice {
        do {
            return try await apply(device, key: key)
        } catch PlannedDevices.PlanError.full {
            throw Interview.CreationError.limitReached
        } catch People.PersonError.forbidden, Devices.EditError.forbidden {
            throw Interview.CreationError.notAllowed
        }
    }

    private func apply(_ device: Interview.DeviceDraft, key: String) async throws -> Interview.CreatedDevice {
        let (room, problem) = try await resolveRoom(for: device, key: key)
        if let known = device.deviceID.flatMap({ hub.devices.device($0) }), let taken = try await updateDevice(device, known, room) {
            return taken
        }
        let made = try await addPlannedDevice(device, room, key: key)
        return Interview.CreatedDevice(
            candidateID: device.candidateID, deviceID: made.id, name: made.name, status: .pendingAuth, nextSteps: problem.map { [$0] } ?? []
        )
    }

    // MARK: Rooms

    private func existingRoomID(_ device: Interview.DeviceDraft, _ rooms: [Room]) -> String? {
        switch device.room {
        case .known(let id): rooms.first { $0.id == id }?.id
        case .new(let name, _): rooms.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.id
        case nil: nil
        }
    }

    /// The room of the device, created if it does not exist yet; and the reason if it could not be created.
    private func resolveRoom(for device: Interview.DeviceDraft, key: String) async throws -> (id: String?, problem: String?) {
        let found = existingRoomID(device, try await hub.mindFeed.snapshot().rooms)
        guard found == nil, case .new(let name, let kind) = device.room else { return (found, nil) }
        var traits = RoomTraits(name: name)
        traits.kind = kind
        do {
            let call = IdempotencyKey(key: "\(key):room", method: "INTERVIEW", path: "/rooms", body: Data(name.utf8))
            return (try await hub.rooms.add(traits, position: nil, by: principal, call: call, origin: origin).0.id, nil)
        } catch Rooms.RoomError.full {
            return (nil, "Put it into a room: the house has as many rooms as it can keep, so “\(name)” was not made.")
        }
    }

    // MARK: Devices

    /// The changes to a device of the house; nil if it already is as described.
    private static func changes(_ known: Device, to device: Interview.DeviceDraft, in room: String?) -> Devices.Edit? {
        let name = device.name == known.name ? nil : device.name
        let place = room == known.roomID ? nil : room.map(Devices.Edit.RoomChoice.room)
        return name == nil && place == nil ? nil : Devices.Edit(name: name, room: place)
    }

    /// Sets name and room of a device; nil if it is no longer a device of the house.
    private func updateDevice(_ device: Interview.DeviceDraft, _ known: Device, _ room: String?) async throws -> Interview.CreatedDevice? {
        var (now, status) = (known, Interview.CreatedDevice.Status.existing)
        if let edit = Self.changes(known, to: device, in: room) {
            do {
                now = try await hub.devices.edit(known.id, edit, by: principal, origin: origin)
            } catch Devices.EditError.notFound { return nil }
            status = .connected
        }
        return Interview.CreatedDevice(
            candidateID: device.candidateID, deviceID: now.id, name: now.name, status: now.isPlanned ? .pendingAuth : status)
    }

    private func addPlannedDevice(_ device: Interview.DeviceDraft, _ room: String?, key: String) async throws -> Device {
        let plan = PlannedDevices.Plan(
            name: device.name, kind: device.kind, deviceClass: device.deviceClass,
            entityClass: device.function.flatMap { Self.entityClasses[$0] }, roomID: room, manufacturer: device.brand, model: device.model,
            description: device.description)
        let call = IdempotencyKey(key: key, method: "INTERVIEW", path: "/devices", body: Data(device.name.utf8))
        do {
            return try await hub.plannedDevices.add(plan, by: principal, call: call, origin: origin)
        } catch Devices.EditError.notFound {
            // The device was created, and removed again before that could be recorded.
            return try await hub.plannedDevices.add(plan, by: principal, call: nil, origin: origin)
        }
    }

    /// Home Assistant's device classes for kinds whose name is not already the class.
    private static let entityClasses = [
        "door_opener": "garage", "blind": "blind", "motion_sensor": "motion", "contact_sensor": "door", "smoke_detector": "smoke",
        "leak_sensor": "moisture", "temperature_sensor": "temperature", "plug": "outlet",
    ]
}
