import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct SceneMakeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Make a scene from several actions.",
        discussion: """
            An action is DEVICE:ACTION, or DEVICE:ACTION=VALUE.

              cardea scenes make "Good night" hall-light:off front-door:lock
              cardea scenes make Reading living-lamp:set_brightness=40 living-climate:set_temperature=21
            """)

    @Argument(help: "The name of the scene.")
    var name: String
    @Argument(help: ArgumentHelp("The actions, in the order in which they run.", valueName: "device:action"))
    var actions: [ParsedDeviceAction]
    @Option(help: "The icon beside its name in the web app.")
    var icon: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let devices = try await context.devices()
        let body = SceneBody(
            name: name, icon: icon,
            actions: try actions.map { wanted in
                let device = try NameResolver.device(wanted.device, among: devices)
                return DeviceActionBody(deviceID: device.deviceID, action: wanted.action, value: wanted.value?.json)
            })
        guard let replica = try await context.replicaIfAvailable(of: client) else {
            return try await show(client.scenes.create(body), context)
        }
        switch try await replica.make(body) {
        case .done(let answer?): try await show(answer, context)
        case .done(nil): break
        case .queued(let entry): try await context.showQueued(entry) { "\(name) is saved when the house can be reached." }
        }
    }

    private func show(_ answer: SceneAnswer, _ context: CommandContext) async throws {
        try await context.output.show(answer) { "\(answer.name) is saved. Run it: cardea scenes run \"\(answer.name)\"" }
    }
}
