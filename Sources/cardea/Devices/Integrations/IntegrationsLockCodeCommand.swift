import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity

struct IntegrationsLockCodeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: "Store the code that an MQTT lock or alarm panel requires.",
        discussion: """
            The terminal asks for the code. It is stored encrypted and not shown again.

              cardea integrations code lock.front_door
              cardea integrations code lock.front_door --remove
            """)

    @Argument(help: "The entity, by id: lock.front_door.")
    var entity: String
    @Flag(help: "Remove the stored code.")
    var remove = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let integrations = try context.client().integrations
        guard let settings = try await integrations.mqtt().settings, var body = MQTTSettingsBody(shown: settings) else {
            throw CommandLineError.refused("not_found", "MQTT is not set up. Set it up in the web app under Settings, Integrations.")
        }
        let code: String? = remove ? nil : try context.prompt.secret("Code of \(entity)").reveal()
        body.codes = [entity: code]
        let answer = try await integrations.setMQTT(body)
        try await context.output.show(answer) { remove ? "The code of \(entity) is removed." : "The code of \(entity) is stored." }
    }
}
