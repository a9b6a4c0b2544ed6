import CardeaModel
import Foundation

/// Loads the records for a question about warmth and energy, as values, and only as far as the requester may see them.
struct WhatIfDataLoader: Sendable {
    let houseHistory: any HouseHistory
    let twins: ThermalTwinCache
    /// The house as the requester sees it.
    let house: HouseSnapshot
    let visibility: RequesterVisibility
    let now: Date

    /// Days of hourly readings for a room: those that may be simulated again, and the days before them to which the twin is fitted as well.
    private static let roomDays = 40
    /// Days of hourly readings for a meter.
    private static let meterDays = WhatIfEngine.weeks * 7 + 31

    /// The meters of the whole house: those of devices that only measure. If there are none, all meters.
    func houseMeters() -> [(Device, Entity, EnergyMetering)] {
        let all = house.devices.flatMap { meters(of: $0) }
        let main = all.filter { device, _, _ in device.entities.allSatisfy { $0.kind == .sensor } }
        return main.isEmpty ? all : main
    }

    /// One meter for each kind of energy; a counter is preferred to a power sensor.
    func meters(of device: Device) -> [(Device, Entity, EnergyMetering)] {
        let found = device.entities.filter(\.isEnabled).compactMap { entity in
            EnergyMetering(entity, of: device).map { (device, entity, $0) }
        }
        return EnergyKind.allCases.compactMap { kind in
            let ofKind = found.filter { $0.2.energy == kind }
            return ofKind.first { $0.2.quantity == .total } ?? ofKind.first
        }
    }

    func loadMeter(_ meter: (Device, Entity, EnergyMetering)) async throws -> WhatIfInputs.MeterHistory {
        WhatIfInputs.MeterHistory(
            entityID: meter.1.id, deviceID: meter.0.id, metering: meter.2, hours: try await hours(of: meter.1.id, days: Self.meterDays))
    }

    // MARK: Rooms

    /// A room that can be heated, with its thermal twin; nil if its temperature or its heating is not known.
    func loadRoom(_ roomID: String) async throws -> (room: WhatIfInputs.RoomHistory, meters: [WhatIfInputs.MeterHistory])? {
        guard let sources = ThermalSensors(of: roomID, in: house) else { return nil }
        let inside = ThermalSensors.excludingOutages(
            sources.inside.celsius(try await hours(of: sources.inside.entityID, days: Self.roomDays)),
            by: try await connectivityEvents(of: sources.inside.entityID))
        let outside = sources.outside.celsius(try await hours(of: sources.outside.entityID, days: Self.roomDays))
        let heating: WhatIfInputs.RoomHistory.Heating
        var meters: [WhatIfInputs.MeterHistory] = []
        switch sources.heating {
        case .metered(let deviceID, let entityID, let metering):
            let hours = try await hours(of: entityID, days: Self.roomDays)
            meters = [WhatIfInputs.MeterHistory(entityID: entityID, deviceID: deviceID, metering: metering, hours: hours)]
            heating = .metered(entityID: entityID)
        case .stateReported(let deviceID, let entityID):
            heating = .share(try await heatingShares(of: entityID, device: deviceID), perHour: nil, .electricity)
        }
        func made(_ model: Result<ThermalTwin, ThermalTwinError>?) -> WhatIfInputs.RoomHistory {
            WhatIfInputs.RoomHistory(
                roomID: roomID, inside: .init(entityID: sources.inside.entityID, hours: inside),
                outside: .init(entityID: sources.outside.entityID, hours: outside), heating: heating, model: model)
        }
        let bare = made(nil)
        guard let heated = try? bare.heatingAmounts(by: meters) else { return (bare, meters) }
        return (made(twins.model(of: sources, at: now) { ThermalTwin.fit(bare, heating: heated.hours) }), meters)
    }

    /// The thermal twin of a room, or the reason why there is none. A twin that was fitted within this hour is reused without reading
    /// anything.
    func thermalTwin(of roomID: String) async throws -> Result<ThermalTwin, ThermalTwinUnavailableError> {
        guard let sources = ThermalSensors(of: roomID, in: house) else { return .failure(.noSources) }
        if let known = twins.cached(of: sources, at: now) { return known.mapError(ThermalTwinUnavailableError.problem) }
        guard let model = try await loadRoom(roomID)?.room.model else { return .failure(.noSources) }
        return model.mapError(ThermalTwinUnavailableError.problem)
    }

    /// The thermal twin of a room for display, or the reason why there is none.
    func thermalReport(of roomID: String) async throws -> Result<ThermalTwinReport, ThermalTwinUnavailableError> {
        guard let (room, meters) = try await loadRoom(roomID), let heated = try? room.heatingAmounts(by: meters) else {
            return .failure(.noSources)
        }
        switch room.model ?? ThermalTwin.fit(room, heating: heated.hours) {
        case .success(let twin): return .success(ThermalTwinReport(room, heating: heated.hours, twin: twin, at: now))
        case .failure(let problem): return .failure(.problem(problem))
        }
    }

    /// The share of each hour in which an entity heated.
    private func heatingShares(of entityID: String, device deviceID: String) async throws -> [Date: Double] {
        let happened = try await events(of: deviceID, days: Self.roomDays)
        return WhatIfInputs.RoomHistory.shares(
            of: entityID, saying: ThermalSensors.heatingStates, in: happened, until: HourBuckets.hour(of: now))
    }

    /// The availability of the device of a room's sensor, from the last known state before the room's days on.
    private func connectivityEvents(of entityID: String) async throws -> [HouseEvent] {
        guard let device = house.devices.first(where: { $0.entities.contains { $0.id == entityID } }) else { return [] }
        let before = HouseEventFilter(
            devices: [device.id], kinds: [.standing], to: now.addingTimeInterval(-Double(Self.roomDays) * 86_400), limit: 1)
        let last = try await houseHistory.events(before, seenBy: visibility)
        return try await last + events(of: device.id, kinds: [.standing], days: Self.roomDays)
    }

    /// The state reports of a device and the changes of its availability, the oldest first.
    func events(
        of deviceID: String, kinds: Set<HouseEventFilter.Kind> = [.state, .standing], days: Int
    ) async throws -> [HouseEvent] {
        var found: [HouseEvent] = []
        var from = now.addingTimeInterval(-Double(days) * 86_400)
        // A page has a thousand events. A device with more than twenty pages in a month cannot be expressed as shares of an hour.
        for _ in 0..<20 {
            let wanted = HouseEventFilter(
                devices: [deviceID], kinds: kinds, from: from, to: now.addingTimeInterval(1), newestFirst: false, limit: 1000)
            let page = try await houseHistory.events(wanted, seenBy: visibility)
            let known = Set(found.suffix(1000).map(\.id))
            let new = page.filter { !known.contains($0.id) }
            found += new
            guard page.count == 1000, !new.isEmpty, let last = page.last?.at else { break }
            from = last
        }
        return found
    }

    /// The state of an entity when the period began: its last report before it, and the times it was out of reach since then.
    func initialStateEvents(of entityID: String, on deviceID: String, days: Int) async throws -> [HouseEvent] {
        let from = now.addingTimeInterval(-Double(days) * 86_400)
        let said = HouseEventFilter(devices: [deviceID], entities: [entityID], kinds: [.state], to: from, limit: 1)
        guard let last = try await houseHistory.events(said, seenBy: visibility).first else { return [] }
        let gone = HouseEventFilter(devices: [deviceID], kinds: [.standing], from: last.at, to: from)
        return try await [last] + houseHistory.events(gone, seenBy: visibility)
    }

    /// Whole hours only: an hour that is not over has no final reading.
    private func hours(of entityID: String, days: Int) async throws -> [HourlyReading] {
        let end = HourBuckets.hour(of: now)
        return try await houseHistory.hours(
            of: entityID, from: end.addingTimeInterval(-Double(days) * 86_400), to: end, seenBy: visibility)
    }
}
