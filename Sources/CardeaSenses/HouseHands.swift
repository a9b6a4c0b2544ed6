import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// The hub's hands for somebody who takes devices in: whatever they do, they do in that person's name and by their rights.
public struct HouseHands: InterviewHands {
    private let hub: Hub
    private let principal: Principal
    private let origin: Origin
    private let rights: Set<Right>

    /// - Parameters:
    ///   - person: as the hub knows them now.
    ///   - principal: the same one, who asks.
    public init(_ hub: Hub, of person: Person, by principal: Principal, origin: Origin) {
        self.hub = hub
        self.principal = principal
        self.origin = origin
        rights = person.rights
    }

    /// What Bonjour sees, for whoever may set up integrations. A Home Assistant is no device, and what belongs to a Matter controller goes by
    /// a number there that nobody would know it by.
    public func nearby() async throws -> [DiscoveredThing] {
        guard rights.contains(.modifySettings) else { return [] }
        let things = try await hub.integrations.nearby(seenBy: principal).view.things
        return things.filter { $0.kind == .homeKit }.map { thing in
            DiscoveredThing(
                id: "mdns:\(thing.kind.rawValue):\(thing.name)", name: thing.name, model: thing.model, category: thing.category,
                source: .mdns)
        }
    }

    public func connected() async -> Set<String> { hub.integrations.running }

    /// Taking a device in is for whoever holds the conversation at all; naming one that is there, and making a room, is changing the house.
    public func permit(_ devices: [Interview.NewDevice]) async throws {
        let rooms = try await hub.insight.view().rooms
        let changes = devices.contains { device in
            let place = room(device, rooms)
            if place == nil, case .new = device.room { return true }
            return device.deviceID.flatMap { hub.devices.device($0) }.flatMap { Self.edit($0, to: device, in: place) } != nil
        }
        guard changes, !rights.contains(.modifySettings) else { return }
        _ = try await hub.insight.asker(principal, for: "interview.confirm", needing: .modifySettings, origin: origin)
    }

    public func takeIn(_ device: Interview.NewDevice, key: String) async throws -> Interview.TakenIn {
        do {
            return try await made(device, key: key)
        } catch PlannedDevices.Problem.full {
            throw Interview.Hindrance.houseIsFull
        } catch People.Problem.forbidden, Devices.EditProblem.forbidden {
            throw Interview.Hindrance.notAllowed
        }
    }

    private func made(_ device: Interview.NewDevice, key: String) async throws -> Interview.TakenIn {
        let (room, problem) = try await room(for: device, key: key)
        if let known = device.deviceID.flatMap({ hub.devices.device($0) }), let taken = try await place(device, known, room) {
            return taken
        }
        let made = try await plan(device, room, key: key)
        return Interview.TakenIn(
            candidateID: device.candidateID, deviceID: made.id, name: made.name, status: .pendingAuth, nextSteps: problem.map { [$0] } ?? []
        )
    }

    // MARK: Rooms

    private func room(_ device: Interview.NewDevice, _ rooms: [Room]) -> String? {
        switch device.room {
        case .known(let id): rooms.first { $0.id == id }?.id
        case .new(let name, _): rooms.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.id
        case nil: nil
        }
    }

    /// The room it goes to, made where nobody has made it yet; and why it has none, where one was named.
    private func room(for device: Interview.NewDevice, key: String) async throws -> (id: String?, problem: String?) {
        let found = room(device, try await hub.insight.view().rooms)
        guard found == nil, case .new(let name, let kind) = device.room else { return (found, nil) }
        var traits = RoomTraits(name: name)
        traits.kind = kind
        do {
            let call = CallName(key: "\(key):room", method: "INTERVIEW", path: "/rooms", body: Data(name.utf8))
            return (try await hub.rooms.add(traits, position: nil, by: principal, call: call, origin: origin).0.id, nil)
        } catch Rooms.Problem.full {
            return (nil, "Put it into a room: the house has as many rooms as it can keep, so “\(name)” was not made.")
        }
    }

    // MARK: Devices

    /// What is to be changed of a device of the house; nil where it is as it was said to be.
    private static func edit(_ known: Device, to device: Interview.NewDevice, in room: String?) -> Devices.Edit? {
        let name = device.name == known.name ? nil : device.name
        let place = room == known.roomID ? nil : room.map(Devices.Edit.RoomChoice.room)
        return name == nil && place == nil ? nil : Devices.Edit(name: name, room: place)
    }

    /// Names and places a device of the house; nil where it is none any more.
    private func place(_ device: Interview.NewDevice, _ known: Device, _ room: String?) async throws -> Interview.TakenIn? {
        var (now, status) = (known, Interview.TakenIn.Status.existing)
        if let edit = Self.edit(known, to: device, in: room) {
            do {
                now = try await hub.devices.edit(known.id, edit, by: principal, origin: origin)
            } catch Devices.EditProblem.notFound { return nil }
            status = .connected
        }
        return Interview.TakenIn(
            candidateID: device.candidateID, deviceID: now.id, name: now.name, status: now.isPlanned ? .pendingAuth : status)
    }

    private func plan(_ device: Interview.NewDevice, _ room: String?, key: String) async throws -> Device {
        let plan = PlannedDevices.Plan(
            name: device.name, kind: device.kind, deviceClass: device.deviceClass,
            entityClass: device.function.flatMap { Self.entityClasses[$0] }, roomID: room, manufacturer: device.brand, model: device.model,
            description: device.description)
        let call = CallName(key: key, method: "INTERVIEW", path: "/devices", body: Data(device.name.utf8))
        do {
            return try await hub.plannedDevices.add(plan, by: principal, call: call, origin: origin)
        } catch Devices.EditProblem.notFound {
            // It was made, and taken out again before that could be written down.
            return try await hub.plannedDevices.add(plan, by: principal, call: nil, origin: origin)
        }
    }

    /// What the kind does not say, in Home Assistant's words.
    private static let entityClasses = [
        "door_opener": "garage", "blind": "blind", "motion_sensor": "motion", "contact_sensor": "door", "smoke_detector": "smoke",
        "leak_sensor": "moisture", "temperature_sensor": "temperature", "plug": "outlet",
    ]
}
