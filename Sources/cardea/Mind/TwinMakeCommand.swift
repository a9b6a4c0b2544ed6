import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct TwinMakeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "A twin that carries more or less than a device's own, or one of a device that is planned.",
        discussion: """
            basic: what it last said. advanced, as every device has by itself: what was asked of it too. expert: how its room holds warmth.

              cardea twins make "Living room heating" --level expert
              cardea twins make porch-light --name "Porch light" --kind light
            """)

    @Argument(help: "The device, by id or name; of one that is planned, the id it is to have.")
    var device: String
    @Option(help: "basic, advanced or expert.")
    var level = "advanced"
    @Option(help: "Of a planned device: what it is to be called.")
    var name: String?
    @Option(help: "Of a planned device: light, lock, switch, …")
    var kind: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let isPlanned = name != nil || kind != nil
        let id = isPlanned ? device : try await context.device(device).deviceID
        let body = TwinBody(deviceID: id, fidelityLevel: level, config: isPlanned ? TwinPlanBody(name: name, kind: kind) : nil)
        try await context.sendOrQueue(.makeTwin(body), waiting: "The twin is made when the house can be reached, within a day.") {
            client, key in
            try await client.twins.create(body, key: key)
        } text: { made in
            "Made: \(made.twinID), \(TwinsListCommand.statusText(made.syncStatus)). It tells: \(made.capabilities.joined(separator: ", "))."
        }
    }
}
