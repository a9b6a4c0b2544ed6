import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct MemoryEditCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Have a memory say something else, or say what a habit is.",
        discussion: """
              cardea memory edit memory_0198c2 --content "The boiler was serviced in June"
              cardea memory edit habit_closing_cover.garage --shut-by 22:00
              cardea memory edit habit_level_sensor.cellar_humidity --between 40-60
              cardea memory edit habit_closing_cover.garage --relearn

            A temperature is said in the degrees in which you read it; a program says it in °C.
            """)

    @Argument(help: "Its id, as memory list names it.")
    var id: String
    @Option(help: "What it says from now on.")
    var content: String?
    @Option(help: ArgumentHelp("Of a habit: by when it is to be shut, locked or off.", valueName: "HH:MM"))
    var shutBy: String?
    @Option(help: ArgumentHelp("Of a habit: what a sensor is to show.", valueName: "low-high"))
    var between: String?
    @Flag(help: "Of a habit: take back what was said of it, and learn it anew.")
    var relearn = false
    @Flag(inversion: .prefixedNo, help: "Keep it whatever happens, or no more.")
    var pin: Bool?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard content != nil || pin != nil || [shutBy != nil, between != nil, relearn].contains(true) else {
            throw ValidationError("Say what is to be otherwise: --content, --pin, --shut-by, --between or --relearn.")
        }
        guard [shutBy != nil, between != nil, relearn].count(where: { $0 }) <= 1 else {
            throw ValidationError("One of --shut-by, --between and --relearn.")
        }
        guard shutBy.map({ TimeOfDay($0) != nil }) ?? true else { throw ValidationError("--shut-by is a time such as 22:00.") }
        guard between.map({ Self.range($0) != nil }) ?? true else {
            throw ValidationError("--between is two numbers such as 40-60, or -20--16.")
        }
    }

    private static func range(_ text: String) -> (Double, Double)? {
        // The dash between two numbers looks like the minus of a negative one.
        text.indices.dropFirst().lazy.filter { text[$0] == "-" }.compactMap { place -> (Double, Double)? in
            guard let low = Double(text[..<place]), let high = Double(text[text.index(after: place)...]), low <= high else { return nil }
            return (low, high)
        }.first
    }

    func run(in context: CommandContext) async throws {
        var body = ChangeMemoryBody()
        (body.content, body.isPinned) = (content, pin)
        if relearn { body.correction = .init(relearn: true) }
        if let time = shutBy.flatMap({ TimeOfDay($0) }) { body.correction = .init(shutBy: time) }
        if let (low, high) = between.flatMap(Self.range) {
            let isInFahrenheit = try await isInFahrenheit(context)
            func kept(_ value: Double) -> Double { isInFahrenheit ? ((value - 32) / 0.018).rounded() / 100 : value }
            body.correction = .init(low: kept(low), high: kept(high))
        }
        let version = try await context.query(.memory(id)).answer.version
        let (memoryID, change, seen) = (id, body, version > 0 ? version : nil)
        let request = OutboxOperation.Request.changeMemory(id: memoryID, change, seen: seen)
        try await context.sendOrQueue(request, waiting: "It is changed when the house can be reached, within a day.") { client, key in
            try await client.mind.memories.change(memoryID, change, seen: seen, key: key)
        } text: {
            $0.content
        }
    }

    /// Returns whether the memory is of a thermometer and the person reads °F. The house stores °C.
    private func isInFahrenheit(_ context: CommandContext) async throws -> Bool {
        let client = try context.client()
        // An API token is not a resident, and may not read about people.
        guard !context.usesAPIToken, try await client.people.me().temperatureUnit == .fahrenheit else { return false }
        let entities = try await client.devices.list().devices.flatMap(\.entities)
        return entities.contains { id == "habit_level_\($0.entityID)" && $0.unitOfMeasurement == "°C" }
    }
}
