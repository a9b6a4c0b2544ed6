import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

struct TokenMakeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "make", abstract: "Make a token for a program, and print it once.",
        discussion: """
            A token can control devices as you can, or less; it cannot manage people, passes or settings. With --device, it sees only these
            devices, and with --action, it can send only these commands. Needs `cardea step-up` first, unless you have just signed in.

              cardea tokens make "Kitchen display" --device hall-light --action on --action off
              cardea tokens make "Night script" --role member --for 26w
              cardea tokens make Dashboard --no-end --json | jq -r .token > token && chmod 600 token
            """)

    @Argument(help: "The name of the token, such as its program.")
    var name: String
    @Option(help: "Limit the token to this device, by id or name. Can be repeated.", completion: .devices)
    var device: [String] = []
    @Option(help: "An allowed command for these devices: on, off, lock, unlock, set_brightness, … Can be repeated.")
    var action: [String] = []
    @Option(help: "The highest role of the token: owner, admin or member. Default: your own.")
    var role: String?
    @Option(
        name: .customLong("for"), help: ArgumentHelp("How long the token works: 4h, 30d, 26w. Default: 90d.", valueName: "duration"))
    var duration: String?
    @Flag(help: "The token has no end date; it works until you revoke it.")
    var noEnd = false
    @Flag(help: "Allow the token to record events too, such as those of a script or a doorbell.")
    var recordsEvents = false
    @Flag(help: "Allow the token to record events, and nothing else.")
    var onlyEvents = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard duration == nil || !noEnd else { throw ValidationError("Add --for or --no-end, not both.") }
        if let duration, TimeParser.duration(duration) == nil {
            throw ValidationError("--for \(duration) is not a duration. Write 4h, 30d or 26w.")
        }
        guard !onlyEvents || device.isEmpty else { throw ValidationError("Add --only-events or --device, not both.") }
        guard action.isEmpty || !device.isEmpty else { throw ValidationError("--action needs --device.") }
        if let unknown = action.first(where: { Verb(named: $0) == nil }) {
            throw ValidationError("\"\(unknown)\" is not an action. Use: on, off, lock, unlock, open, close, set_brightness, …")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let devices = device.isEmpty ? [] : try await client.devices.list().devices
        let grants = try device.map { try grant($0, among: devices) }
        let ends = noEnd ? nil : Date().addingTimeInterval(TimeParser.duration(duration ?? "90d") ?? 90 * 86_400)
        let answer = try await client.apiTokens.create(
            MakeAPITokenBody(
                name: name, grants: grants.isEmpty && !onlyEvents ? nil : grants, role: role, expiresAt: ends,
                recordsEvents: recordsEvents || onlyEvents ? true : nil))
        try await context.output.show(answer) {
            let clock = try await context.clock(client)
            let until = answer.expiresAt.map { "until \(clock.short($0))" } ?? "until you revoke it"
            let names = Dictionary(devices.map { ($0.deviceID, $0.name) }, uniquingKeysWith: { first, _ in first })
            let may = TokenText.permissions(answer, calling: names)
            let does = answer.grants.map { $0.isEmpty ? may : "use \(may)" } ?? "do \(may)"
            return """
                \(answer.name) may \(does), \(until).
                Token: \(answer.token ?? "")
                It is not shown again. A program sends it as: Authorization: Bearer <token>
                """
        }
    }

    /// Looking always, and of the actions those that this device does.
    private func grant(_ wanted: String, among devices: [DeviceAnswer]) throws -> GrantBody {
        let device = try NameResolver.device(wanted, among: devices)
        let verbs = Set(device.entities.flatMap { $0.actions.map(\.action) })
        let chosen = action.compactMap { Verb(named: $0) }.filter {
            $0 == .open ? !verbs.isDisjoint(with: [.open, .unlock]) : verbs.contains($0)
        }
        guard action.isEmpty || !chosen.isEmpty else {
            throw CommandLineError.usage(
                "\(device.name) has none of the actions \(action.joined(separator: ", ")). See: cardea devices show \(device.deviceID)")
        }
        return GrantBody(deviceID: device.deviceID, actions: [Verb.read.rawValue] + chosen.map(\.rawValue))
    }
}
