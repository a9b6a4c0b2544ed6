import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct AutomationOnCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: "Switch an automation on. It then runs with your permissions.",
        discussion: "  cardea automations on Night"
    )

    @Argument(help: "The automation, by id or full name.")
    var automation: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        // The current state: in the replica it might still be on.
        let all = try await context.client().automations.list().automations
        let automation = try NameResolver.automation(automation, among: all, exactly: "on")
        var body = automation.body
        body.isOn = true
        let answer =
            automation.isOn
            ? automation
            : try await context.client().automations.replace(automation.automationID, body, seen: automation.version)
        try await context.output.show(answer) { "\(answer.name) is on." }
    }
}

struct AutomationOffCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Switch an automation off.", discussion: "  cardea automations off Night")

    @Argument(help: "The automation, by id or full name.")
    var automation: String
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let automation = try await context.automation(automation, for: "off")
        var body = automation.body
        body.isOn = false
        let (id, seen, wasOn, off) = (automation.automationID, automation.version, automation.isOn, body)
        let waiting =
            "\(automation.name) is switched off if the house can be reached within a day. Until then, it keeps running."
        try await context.sendOrQueue(.switchOff(id: id, off, seen: seen), waiting: waiting) { client, key in
            // A disabled automation is checked: in the replica it may be on again.
            wasOn ? try await client.automations.replace(id, off, seen: seen, key: key) : try await client.automations.get(id)
        } text: { answer in
            "\(answer.name) is \(answer.isOn ? "on" : "off")."
        }
    }
}

struct AutomationRemoveCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an automation and its history.", discussion: "  cardea automations remove Night --yes"
    )

    @Argument(help: "The automation, by id or full name.")
    var automation: String
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let automation = try await context.automation(automation, for: "remove")
        try context.prompt.confirm("Remove \(automation.name) and its history?", beforehand: yes)
        let (id, seen) = (automation.automationID, automation.version)
        let waiting = "\(automation.name) is removed if the house can be reached within a day. Until then, it keeps running."
        try await context.sendOrQueue(.removeAutomation(id: id, seen: seen, name: automation.name), waiting: waiting) { client, key in
            try await client.automations.remove(id, seen: seen, key: key)
            return automation
        } text: { _ in
            "\(automation.name) is removed."
        }
    }
}
