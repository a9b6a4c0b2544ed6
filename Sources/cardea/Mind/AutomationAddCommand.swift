import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

struct AutomationAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an automation. It runs with your permissions.",
        discussion: """
            --when gives a trigger. With several, any of them starts the automation:
              last-leaves, first-arrives        presence of the residents (`cardea presence`)
              22:30                             time in the house's time zone; add --days for certain days only
              lock.front_door=unlocked          an entity changes to a state; add --for to require it for some seconds
              sensor.hall>25, sensor.hall<5     a value rises above or falls below a limit
            --do gives an action as DEVICE:ACTION. Actions run in order. --tell then notifies you, --tell-all everybody.
            For conditions and more triggers, write a file: see docs/automations.md.

              cardea automations add "Everybody out" --when last-leaves --do front-door:lock --tell "Everybody has left."
              cardea automations add "Night" --when 23:00 --days sun-thu --do hall-light:off
              cardea automations add --file out.json
            """)

    @Argument(help: "The name of the automation.")
    var name: String?
    @Option(
        help: ArgumentHelp(
            "A trigger: last-leaves, first-arrives, 22:30, lock.front_door=unlocked, sensor.hall>25. Can be repeated.", valueName: "trigger"
        ))
    var when: [ParsedTrigger] = []
    @Option(help: ArgumentHelp("The days for a time trigger: mon,tue or mon-fri or weekend. Default: every day.", valueName: "days"))
    var days: ParsedDays?
    @Option(name: .customLong("for"), help: ArgumentHelp("Seconds for which a state trigger must hold.", valueName: "seconds"))
    var seconds: Int?
    @Option(
        name: .customLong("do"),
        help: ArgumentHelp("An action: hall-light:off, or lamp:set_brightness=40. Can be repeated.", valueName: "device:action"))
    var actions: [ParsedDeviceAction] = []
    @Option(help: "The text of a notification to you.")
    var tell: String?
    @Option(help: "The text of a notification to everybody.")
    var tellAll: String?
    @Option(help: ArgumentHelp("A file with the automation as JSON; - reads standard input.", valueName: "file"))
    var file: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (file == nil) != when.isEmpty else { throw ValidationError("Add a trigger with --when, or a file with --file.") }
        guard file != nil || name != nil else { throw ValidationError("Add a name for the automation.") }
        guard file != nil || !actions.isEmpty || tell != nil || tellAll != nil else {
            throw ValidationError("Add an action: --do, --tell or --tell-all.")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let body: AutomationBody
        if let file { body = try Self.read(file) } else { body = try await makeBody(client) }
        let made = try await client.automations.add(body)
        try await context.output.show(made) {
            "\(made.name) is saved. Simulate it: cardea automations try \(made.automationID)"
        }
    }

    private func makeBody(_ client: CardeaClient) async throws -> AutomationBody {
        let devices = actions.isEmpty ? [] : try await client.devices.list().devices
        var asked = try actions.map { wanted in
            let device = try NameResolver.device(wanted.device, among: devices)
            guard let verb = Verb(requested: wanted.action) else {
                throw CommandLineError.usage("\"\(wanted.action)\" is not an action of a device.")
            }
            return AutomationAction.control(DeviceAction(deviceID: device.deviceID, verb: verb, value: wanted.value?.json))
        }
        if let tell { asked.append(.notify(words: tell, to: .owner)) }
        if let tellAll { asked.append(.notify(words: tellAll, to: .residents)) }
        return AutomationBody(
            name: name ?? "", triggers: when.map { $0.trigger(on: days?.days, seconds: seconds ?? 0) }, actions: asked)
    }

    private static func read(_ file: String) throws -> AutomationBody {
        let data: Data
        do {
            data = file == "-" ? FileHandle.standardInput.readDataToEndOfFile() : try Data(contentsOf: URL(filePath: file))
        } catch {
            throw CommandLineError.usage("\(file) cannot be read.")
        }
        do throws(WireFormat.BodyError) { return try WireFormat.readBody(AutomationBody.self, from: data) } catch {
            switch error {
            case .field(let field, let words): throw CommandLineError.usage("\(field) \(words).")
            case .unknownField(let field): throw CommandLineError.usage("An automation has no field \(field).")
            case .notJSON, .notAnObject: throw CommandLineError.usage("\(file) is not an automation in JSON.")
            }
        }
    }
}

/// A trigger of an automation, parsed from the command line.
struct ParsedTrigger: ExpressibleByArgument {
    private let parsed: AutomationTrigger

    init?(argument: String) {
        switch argument {
        case "last-leaves": parsed = .presence(.lastLeaves)
        case "first-arrives": parsed = .presence(.firstArrives)
        default:
            if let at = TimeOfDay(argument) {
                parsed = .time(at: at, weekdays: Set(Weekday.allCases))
            } else if let place = argument.firstIndex(where: { "=<>".contains($0) }), place != argument.startIndex {
                let (entity, said) = (String(argument[..<place]), String(argument[argument.index(after: place)...]))
                switch (argument[place], Double(said)) {
                case (">", let bound?): parsed = .number(entityID: entity, .above(bound))
                case ("<", let bound?): parsed = .number(entityID: entity, .below(bound))
                case ("=", _) where !said.isEmpty: parsed = .state(entityID: entity, to: said, seconds: 0)
                default: return nil
                }
            } else {
                return nil
            }
        }
    }

    func trigger(on days: Set<Weekday>?, seconds: Int) -> AutomationTrigger {
        switch parsed {
        case .time(let at, let all): .time(at: at, weekdays: days ?? all)
        case .state(let entity, let to, _): .state(entityID: entity, to: to, seconds: seconds)
        default: parsed
        }
    }
}

/// `mon-fri`, `weekend`
struct ParsedDays: ExpressibleByArgument {
    let days: Set<Weekday>

    init?(argument: String) {
        guard let days = WeekdayParser.days(argument) else { return nil }
        self.days = days
    }
}
