import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct DeviceShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a device: its state and its commands.",
        discussion: "  cardea devices show front-door")

    @Argument(help: "The device, by id or name.", completion: .devices)
    var device: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query {
            try await $0.devices.get($0.deviceID(device))
        } stored: {
            try await $0.devices().map { try NameResolver.device(device, among: $0) }
        }
        try await context.output.show(look) {
            try await text(look.answer, clock: context.clock(look), output: context.output)
        }
    }

    private func text(_ device: DeviceAnswer, clock: HouseClock, output: Output) -> String {
        var lines = ["\(output.bold(device.name)) (\(device.deviceID))" + (device.room.map { ", \($0)" } ?? "")]
        // A last report already shows its time.
        let isKnown = device.entities.allSatisfy { !$0.isEnabled || $0.lastReported == nil }
        let since = isKnown ? ", since \(clock.short(device.stateChangedAt))" : ""
        lines.append(StateText.summary(of: device, clock) + since)
        for entity in device.entities {
            let actions = entity.actions.map { $0.action.rawValue }.joined(separator: " ")
            lines.append("  \(entity.entityID)  \(StateText.text(entity, clock))  \(output.dim(actions))")
            if let notice = entity.notice { lines.append("    \(notice)") }
        }
        if device.isSecurityDevice { lines.append("Only owners and admins can open it.") }
        if !device.isGuestAccessible { lines.append("Guest passes cannot include it.") }
        return lines.joined(separator: "\n")
    }
}

extension CardeaClient {
    /// The id of the device named `name`, by the house's list.
    func deviceID(_ name: String) async throws -> String {
        try NameResolver.device(name, among: await devices.list().devices).deviceID
    }
}

extension NameResolver {
    static func device(_ name: String, among devices: [DeviceAnswer]) throws -> DeviceAnswer {
        try resolve(name, among: devices, what: "device", ids: { [$0.deviceID] }, name: \.name)
    }
}
