import CardeaModel
import Foundation

/// The recorded data by which an imagined change is judged. All of it is values; the caller passes only what the requester may see.
public struct WhatIfInputs: Sendable {
    public var house: HouseSnapshot
    /// The requester's rates.
    public var preferences: Preferences
    /// No meter counts what another one counts: of a main meter and one behind it, only one is given.
    public var meters: [MeterHistory]
    public var rooms: [RoomHistory]
    /// The access attempts of the last days.
    public var replay: AccessReplay?
    /// The rules by which notifications are given now, by entity id.
    public var watchRules: [String: WatchRule.Baseline]
    /// The events of the watched entities.
    public var events: [HouseEvent]
    /// True if the requester may see energy use.
    public var seesEnergy: Bool

    public init(
        house: HouseSnapshot, preferences: Preferences, meters: [MeterHistory] = [], rooms: [RoomHistory] = [], replay: AccessReplay? = nil,
        watchRules: [String: WatchRule.Baseline] = [:], events: [HouseEvent] = [], seesEnergy: Bool = true
    ) {
        self.house = house
        self.preferences = preferences
        self.meters = meters
        self.rooms = rooms
        self.replay = replay
        self.watchRules = watchRules
        self.events = events
        self.seesEnergy = seesEnergy
    }

    /// A sensor that measures energy, by the hour.
    public struct MeterHistory: Hashable, Sendable {
        public let entityID: String
        public let deviceID: String
        public let metering: EnergyMetering
        /// In any order.
        public let hours: [HourlyReading]

        public init(entityID: String, deviceID: String, metering: EnergyMetering, hours: [HourlyReading]) {
            self.entityID = entityID
            self.deviceID = deviceID
            self.metering = metering
            self.hours = hours
        }
    }

    /// A room that can be heated.
    public struct RoomHistory: Hashable, Sendable {
        public let roomID: String
        /// °C.
        public let inside: SensorHistory
        /// °C.
        public let outside: SensorHistory
        public let heating: Heating
        /// The thermal twin, if one was fitted to these readings already, or the reason why there is none; nil if it is still to be fitted.
        public let model: Result<ThermalTwin, ThermalTwinError>?

        public enum Heating: Hashable, Sendable {
            /// A meter that counts this room's heating and nothing else, by its entity.
            case metered(entityID: String)
            /// The share of each hour in which it was on, 0 to 1, by the beginning of the hour; and its consumption when it is on, in the
            /// kind's unit per hour (kW for electricity), nil if unknown.
            case share([Date: Double], perHour: Double?, EnergyKind)
        }

        public init(
            roomID: String, inside: SensorHistory, outside: SensorHistory, heating: Heating,
            model: Result<ThermalTwin, ThermalTwinError>? = nil
        ) {
            self.roomID = roomID
            self.inside = inside
            self.outside = outside
            self.heating = heating
            self.model = model
        }
    }

    /// A sensor and its hours.
    public struct SensorHistory: Hashable, Sendable {
        public let entityID: String
        public let hours: [HourlyReading]

        public init(entityID: String, hours: [HourlyReading]) {
            self.entityID = entityID
            self.hours = hours
        }
    }
}

extension WhatIfInputs.RoomHistory {
    /// The share of each hour in which an entity was in one of these states, from events: the heating of a room about which nothing else is
    /// known. Hours before its first report and while it was out of reach are unknown and left out.
    public static func shares(of entityID: String, saying words: Set<String>, in events: [HouseEvent], until end: Date) -> [Date:
        Double]
    {
        let said = events.filter { Date.distantPast <= $0.at && $0.at < min(end, .distantFuture) }.sorted {
            ($0.at, $0.id) < ($1.at, $1.id)
        }
        guard let device = said.first(where: { $0.entityID == entityID })?.deviceID else { return [:] }
        var known: [Date: Double] = [:]
        var on: [Date: Double] = [:]
        var state: (from: Date, isOn: Bool)?
        func close(at moment: Date) {
            guard let state, state.from < moment, moment.timeIntervalSince(state.from) < 400 * 86_400 else { return }
            var from = state.from
            while from < moment {
                let hour = HourBuckets.hour(of: from)
                let to = min(hour.addingTimeInterval(3600), moment)
                known[hour, default: 0] += to.timeIntervalSince(from)
                if state.isOn { on[hour, default: 0] += to.timeIntervalSince(from) }
                from = to
            }
        }
        for event in said {
            switch event.fact {
            case .state(let word) where event.entityID == entityID:
                close(at: event.at)
                state = (event.at, words.contains(word))
            case .deviceStatus(let status) where event.deviceID == device && status != .online:
                close(at: event.at)
                state = nil
            default: break
            }
        }
        close(at: min(end, .distantFuture))
        return known.filter { $0.value > 3599 }.mapValues { _ in 0 }.merging(on.filter { known[$0.key] ?? 0 > 3599 }) { _, seconds in
            min(seconds / 3600, 1)
        }
    }
}
