import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct AutomationOnCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Switch an automation on. From then on you answer for it.", discussion: "  cardea automations on Night"
    )

    @Argument(help: "The automation, by id or whole name.")
    var automation: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws { try await sitting.turn(automation, on: true, by: "on") }
}

struct AutomationOffCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Switch an automation off. It stays as it is.", discussion: "  cardea automations off Night")

    @Argument(help: "The automation, by id or whole name.")
    var automation: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws { try await sitting.turn(automation, on: false, by: "off") }
}

extension Sitting {
    fileprivate func turn(_ wanted: String, on isOn: Bool, by command: String) async throws {
        let automation = try await automation(wanted, for: command)
        var body = automation.body
        body.isOn = isOn
        let answer =
            automation.isOn == isOn
            ? automation : try await client().automations.replace(automation.automationID, body, seen: automation.version)
        try await output.show(answer) { "\(answer.name) is \(isOn ? "on" : "off")." }
    }
}

struct AutomationRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget an automation, and what came of it.", discussion: "  cardea automations remove Night --yes"
    )

    @Argument(help: "The automation, by id or whole name.")
    var automation: String
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let automation = try await sitting.automation(automation, for: "remove")
        try sitting.prompt.confirm("Forget \(automation.name), and what came of it?", beforehand: yes)
        try await sitting.client().automations.remove(automation.automationID, seen: automation.version)
        try await sitting.output.show(automation) { "\(automation.name) is removed." }
    }
}
