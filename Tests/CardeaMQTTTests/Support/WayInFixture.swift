import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

/// A house and its announcements, without a broker: each announcement reaches the house before the next.
struct WayInFixture {
    let house: TestHouse
    let owner: Principal
    private(set) var roster = DiscoveryRegistry()
    private static let prefix = "homeassistant"

    init() async throws {
        house = try await TestHouse.make(store: .inMemory(), doorCount: 0)
        owner = try await house.claim().owner
    }

    /// - Parameter object: its component and name, such as `lock/door`; an empty announcement withdraws it.
    mutating func announce(_ object: String, _ config: String) async throws {
        let topic = "\(Self.prefix)/\(object)/config"
        roster.apply(Array(config.utf8), at: try #require(DiscoveryTopic(topic, prefix: Self.prefix)))
        try await applyChanges()
    }

    /// The hub restarts: it knows what the house stores, and the broker repeats the announcements in any order.
    mutating func restart() async throws {
        try await house.hub.devices.reloadFormer()
        let isOurs = { (device: Device) in device.integration == MQTTIntegration.name }
        let (known, former) = (house.hub.devices.all.devices, house.hub.devices.former)
        roster = DiscoveryRegistry(
            names: IDAllocator(
                known: known.filter(isOurs), former: former.filter(isOurs),
                reserved: Set((known + former).filter { !isOurs($0) }.flatMap(\.allIDs))))
    }

    /// Like the integration: an id of another owner is replaced.
    private mutating func applyChanges(round: Int = 0) async throws {
        let changes = roster.collectChanges(at: house.clock.now)
        var taken: [String] = []
        for device in changes.announced {
            do { try await house.hub.devices.announce(device) } catch let error as EntityIDConflictError {
                taken.append(error.entityID)
            } catch is DeviceIDConflictError {
                taken.append(device.id)
            }
            roster.acknowledge(device.id)
        }
        for id in changes.withdrawn { try await house.hub.devices.withdraw(deviceID: id, integration: MQTTIntegration.name) }
        for id in taken { roster.release(id) }
        if !taken.isEmpty, round < 3 { try await applyChanges(round: round + 1) }
    }

    func device(_ id: String) throws -> Device { try #require(house.hub.devices.device(id)) }

    func entity(_ id: String) throws -> Entity {
        try #require(house.hub.devices.all.devices.flatMap(\.entities).first { $0.id == id })
    }

    /// The decision about a request for `verb`.
    func decision(_ verb: Verb, _ entityID: String, by grant: Grant) throws -> Gate.Decision {
        let device = try #require(house.hub.devices.all.devices.first { $0.entities.contains { $0.id == entityID } })
        return Gate.decide(
            .init(verb, on: try entity(entityID), of: device, isLocal: true), by: grant, at: house.clock.now, zone: .gmt)
    }

    /// The messages that `verb` sends now.
    func commandMessages(_ verb: Verb, _ entityID: String, value: JSONValue? = nil) -> [CommandMessage] {
        roster[entityID].flatMap { $0.entity.mapping.commandMessages(for: verb, value: value, transition: nil, in: $0.state) } ?? []
    }

    func report(_ word: Devices.WayInResolution, on deviceID: String) async throws {
        _ = try await house.hub.devices.resolveWayIn(word, on: deviceID, by: owner, origin: .house)
    }

    static let member = Grant(id: "role:member", scope: .role(.member, disabled: false))

    static func pass(for verbs: Set<Verb>, _ entityID: String, of deviceID: String) -> Grant {
        Grant(id: "pass", scope: .list([.init(deviceID: deviceID, entityID: entityID, verbs: verbs)]))
    }

    static func lock(_ id: String, _ name: String, topic: String, more: String = "") -> String {
        #"{"uniq_id": "\#(id)", "name": null, "cmd_t": "\#(topic)/set", "stat_t": "\#(topic)", "dev": {"ids": "\#(id)", "name": "\#(name)"}\#(more)}"#
    }

    static func lamp(_ id: String, _ name: String, topic: String, more: String = "") -> String {
        #"{"uniq_id": "\#(id)", "name": null, "cmd_t": "\#(topic)", "pl_on": "UNLOCK", "dev": {"ids": "\#(id)", "name": "\#(name)"}\#(more)}"#
    }
}
