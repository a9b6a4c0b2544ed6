import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct DeviceTwinMakeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Make a twin with another level, or a twin of a planned device.",
        discussion: """
            basic: the reported state. advanced (the default of every device): also the requested state. expert: also the heat loss of the
            room.

              cardea twins make "Living room heating" --level expert
              cardea twins make porch-light --name "Porch light" --kind light
            """)

    @Argument(help: "The device, by id or name; for a planned device, its future id.")
    var device: String
    @Option(help: "The level: basic, advanced or expert.")
    var level = "advanced"
    @Option(help: "For a planned device: its name.")
    var name: String?
    @Option(help: "For a planned device: its kind, such as light, lock or switch.")
    var kind: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let isPlanned = name != nil || kind != nil
        let id = isPlanned ? device : try await context.device(device).deviceID
        let body = TwinBody(deviceID: id, fidelityLevel: level, config: isPlanned ? TwinPlanBody(name: name, kind: kind) : nil)
        try await context.sendOrQueue(.makeTwin(body), waiting: "The twin is made if the house can be reached within a day.") {
            client, key in
            try await client.twins.create(body, key: key)
        } text: { made in
            "Made: \(made.twinID), \(DeviceTwinsListCommand.statusText(made.syncStatus)). It shows: \(made.capabilities.joined(separator: ", "))."
        }
    }
}
