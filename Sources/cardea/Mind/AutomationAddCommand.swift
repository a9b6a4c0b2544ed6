import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

struct AutomationAddCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Have the house do something by itself. You answer for it: it may do what you may.",
        discussion: """
            --when says what sets it going, any one of several:
              last-leaves, first-arrives        by those who say where they are (`cardea presence`)
              22:30                             by the house's clock, with --days only on those
              lock.front_door=unlocked          a part of a device comes to say a word; with --for seconds, and goes on
              sensor.hall>25, sensor.hall<5     a number rises above, or falls below
            --do says what it asks, in this order: a device, a colon, and what it is asked. --tell is said last, to you or with --tell-all to all.
            Whatever else there is stands in a file, as docs/automations.md has it.

              cardea automations add "Everybody out" --when last-leaves --do front-door:lock --tell "Everybody has left."
              cardea automations add "Night" --when 23:00 --days sun-thu --do hall-light:off
              cardea automations add --file out.json
            """)

    @Argument(help: "What it is called.")
    var name: String?
    @Option(help: ArgumentHelp("What sets it going.", valueName: "trigger"))
    var when: [ParsedTrigger] = []
    @Option(help: ArgumentHelp("On which days a time of day counts.", valueName: "days"))
    var days: ParsedDays?
    @Option(name: .customLong("for"), help: ArgumentHelp("For how long a part of a device must go on saying it.", valueName: "seconds"))
    var seconds: Int?
    @Option(name: .customLong("do"), help: ArgumentHelp("What it asks.", valueName: "device:action"))
    var actions: [ParsedDeviceAction] = []
    @Option(help: "What it tells you then.")
    var tell: String?
    @Option(help: "What it tells everybody then.")
    var tellAll: String?
    @Option(help: ArgumentHelp("Where it is written down; - reads it from the input.", valueName: "file"))
    var file: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (file == nil) != when.isEmpty else { throw ValidationError("Say what sets it going with --when, or give a --file.") }
        guard file != nil || name != nil else { throw ValidationError("Say what it is called.") }
        guard file != nil || !actions.isEmpty || tell != nil || tellAll != nil else {
            throw ValidationError("Say what it does: --do, --tell or --tell-all.")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let body: AutomationBody
        if let file { body = try Self.read(file) } else { body = try await makeBody(client) }
        let made = try await client.automations.add(body)
        try await context.output.show(made) {
            "\(made.name) is kept. See what it would have done: cardea automations try \(made.automationID)"
        }
    }

    private func makeBody(_ client: CardeaClient) async throws -> AutomationBody {
        let devices = actions.isEmpty ? [] : try await client.devices.list().devices
        var asked = try actions.map { wanted in
            let device = try NameResolver.device(wanted.device, among: devices)
            guard let verb = Verb(requested: wanted.action) else {
                throw CommandLineError.usage("\"\(wanted.action)\" is nothing that a device is asked.")
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
            case .unknownField(let field): throw CommandLineError.usage("There is no field \(field) in an automation.")
            case .notJSON, .notAnObject: throw CommandLineError.usage("\(file) holds no automation.")
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
