import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

struct DeviceControlCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "control", abstract: "Ask a device to do something, and wait for what it says.",
        discussion: """
              cardea devices control hall-light on
              cardea devices control hall-light set_brightness --value 40
              cardea devices control study-light set_color --value '{"temperature":2700}'
              cardea devices control living-climate set_temperature --value 20.5
            """)

    @Argument(help: "The device, by id or name.")
    var device: String
    @Argument(help: "on, off, open, close, stop, lock, unlock, set_brightness, set_position, …")
    var action: String
    @Option(help: "A number, a word, or JSON.")
    var value: CommandValue?
    @Option(help: "Which of the device's entities, like light.hall.")
    var entity: String?
    @Option(help: "Milliseconds over which a light fades.")
    var transition: Double?
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let command = DeviceCommand(
            try await client.deviceID(device), action, entityID: entity, value: value?.json, transitionTime: transition)
        let answer = try OutcomeReport.confirmed(await client.devices.control(command), words: .plain)
        try await sitting.output.show(answer) {
            "Done" + (answer.newState.map { ": it says \($0.state)." } ?? ".")
        }
    }
}

/// A value as typed: JSON where it is JSON, a word where it is not.
struct CommandValue: ExpressibleByArgument {
    let json: JSONValue

    init?(argument: String) {
        let parsed = try? JSONDecoder().decode(JSONValue.self, from: Data(argument.utf8))
        json = parsed ?? .string(argument)
    }
}
