import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

struct IntegrationsHomeAssistantCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "home-assistant", abstract: "Connect the house to Home Assistant.",
        discussion: """
            Needs `cardea step-up` first. The terminal asks for a long-lived access token of Home Assistant, or reads it from standard
            input. It is stored encrypted and not shown again.

              cardea integrations home-assistant http://homeassistant.local:8123
              cardea integrations home-assistant https://homeassistant.home:8123 --ca issuer.pem
            """)

    @Argument(help: "The address of Home Assistant: http, https, ws or wss, host and optional port.")
    var address: String
    @Option(help: ArgumentHelp("A CA certificate to trust instead of the system's, PEM.", valueName: "file"))
    var ca: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let integrations = try context.client().integrations
        var body = HomeAssistantSettingsBody(url: address)
        if let ca {
            do { body.caPEM = try String(contentsOf: URL(filePath: ca), encoding: .utf8) } catch {
                throw CommandLineError.usage("\(ca) cannot be read.")
            }
        }
        // If the house is unreachable, no token is asked for.
        _ = try await integrations.list()
        body.token = try context.prompt.secret("Access token of Home Assistant").reveal()
        let answer = try await integrations.setHomeAssistant(body)
        try await context.output.show(answer) { "Home Assistant at \(address) is set up. See its status: cardea integrations" }
    }
}
