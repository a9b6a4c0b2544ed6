import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync

struct MemoryEditCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edit a memory, or set the limits of a habit.",
        discussion: """
              cardea memory edit memory_0198c2 --content "The boiler was serviced in June"
              cardea memory edit habit_closing_cover.garage --shut-by 22:00
              cardea memory edit habit_level_sensor.cellar_humidity --between 40-60
              cardea memory edit habit_closing_cover.garage --relearn

            Give temperatures in your own unit. Programs (CARDEA_TOKEN_FILE) use °C.
            """)

    @Argument(help: "The id, from `memory list`.")
    var id: String
    @Option(help: "The new text.")
    var content: String?
    @Option(help: ArgumentHelp("For a habit: the time by which the device should be closed, locked or off.", valueName: "HH:MM"))
    var shutBy: String?
    @Option(help: ArgumentHelp("For a habit: the normal range of the sensor.", valueName: "low-high"))
    var between: String?
    @Flag(help: "For a habit: drop your limits, and learn it again.")
    var relearn = false
    @Flag(inversion: .prefixedNo, help: "Never forget it automatically, or allow that again.")
    var pin: Bool?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard content != nil || pin != nil || [shutBy != nil, between != nil, relearn].contains(true) else {
            throw ValidationError("Nothing to change. Add --content, --pin, --shut-by, --between or --relearn.")
        }
        guard [shutBy != nil, between != nil, relearn].count(where: { $0 }) <= 1 else {
            throw ValidationError("Add only one of --shut-by, --between and --relearn.")
        }
        guard shutBy.map({ TimeOfDay($0) != nil }) ?? true else { throw ValidationError("--shut-by needs a time, such as 22:00.") }
        guard between.map({ Self.range($0) != nil }) ?? true else {
            throw ValidationError("--between needs two numbers, such as 40-60, or -20--16.")
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
            func stored(_ value: Double) -> Double { isInFahrenheit ? ((value - 32) / 0.018).rounded() / 100 : value }
            body.correction = .init(low: stored(low), high: stored(high))
        }
        let version = try await context.query(.memory(id)).answer.version
        let (memoryID, change, seen) = (id, body, version > 0 ? version : nil)
        let request = OutboxOperation.Request.changeMemory(id: memoryID, change, seen: seen)
        try await context.sendOrQueue(request, waiting: "The memory is changed if the house can be reached within a day.") { client, key in
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
