import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct DeviceShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One device: how it stands, and what it can be asked.",
        discussion: "  cardea devices show front-door")

    @Argument(help: "The device, by id or name.", completion: .devices)
    var device: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let look = try await sitting.look {
            try await $0.devices.one($0.deviceID(device))
        } kept: {
            try await $0.devices().map { try Named.device(device, among: $0) }
        }
        try await sitting.output.show(look) {
            try await text(look.answer, clock: sitting.clock(look), output: sitting.output)
        }
    }

    private func text(_ device: DeviceAnswer, clock: HouseClock, output: Output) -> String {
        var lines = ["\(output.bold(device.name)) (\(device.deviceID))" + (device.room.map { ", \($0)" } ?? "")]
        // A last report has its time already.
        let isKnown = device.entities.allSatisfy { !$0.isEnabled || $0.lastReported == nil }
        let since = isKnown ? ", since \(clock.short(device.stateChangedAt))" : ""
        lines.append(StateWords.summary(of: device, clock) + since)
        for entity in device.entities {
            let actions = entity.actions.map { $0.action.rawValue }.joined(separator: " ")
            lines.append("  \(entity.entityID)  \(StateWords.text(entity, clock))  \(output.dim(actions))")
            if let notice = entity.notice { lines.append("    \(notice)") }
        }
        if device.isSecurityDevice { lines.append("Only an owner or admin opens it.") }
        if !device.isGuestAccessible { lines.append("Guests cannot be let in here.") }
        return lines.joined(separator: "\n")
    }
}

extension CardeaClient {
    /// The id of what a person calls `name`: asked of the house, which knows the names.
    func deviceID(_ name: String) async throws -> String {
        try Named.device(name, among: await devices.list().devices).deviceID
    }
}

extension Named {
    static func device(_ name: String, among devices: [DeviceAnswer]) throws -> DeviceAnswer {
        try find(name, among: devices, what: "device", ids: { [$0.deviceID] }, name: \.name)
    }
}
