import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

struct DeviceShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One device: how it stands, and what it can be asked.",
        discussion: "  cardea devices show front-door")

    @Argument(help: "The device, by id or name.")
    var device: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let answer = try await client.devices.one(client.deviceID(device))
        try await sitting.output.show(answer) {
            try await text(answer, clock: sitting.clock(client), output: sitting.output)
        }
    }

    private func text(_ device: DeviceAnswer, clock: HouseClock, output: Output) -> String {
        var lines = ["\(output.bold(device.name)) (\(device.deviceID))" + (device.room.map { ", \($0)" } ?? "")]
        lines.append("\(StateWords.summary(of: device)), since \(clock.short(device.stateChangedAt))")
        for entity in device.entities {
            let actions = entity.actions.map { $0.action.rawValue }.joined(separator: " ")
            lines.append("  \(entity.entityID)  \(StateWords.text(entity))  \(output.dim(actions))")
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
        let devices = try await devices.list().devices
        return try Named.find(name, among: devices, what: "device", ids: { [$0.deviceID] }, name: \.name).deviceID
    }
}
