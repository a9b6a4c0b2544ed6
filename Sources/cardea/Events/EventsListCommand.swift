import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct EventsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "What was seen at the house, newest first.",
        discussion: """
            Words are looked for in descriptions, kinds and cameras' names; all of them must be there. Without the house the list is what it
            answered last, or what is meant among the latest hundred that are kept here.

              cardea events
              cardea events list --search "red van" --camera porch
              cardea events list --type package --from "fri 8:00" --to now
            """)

    @Option(help: ArgumentHelp("Words that are in it.", valueName: "words"))
    var search: String?
    @Option(help: "Only of this camera, or of a source without one.")
    var camera: String?
    @Option(help: "Only of this kind: person, vehicle, package, animal, motion, ring, …")
    var type: String?
    @Option(help: "Only what belongs to this incident.")
    var incident: String?
    @Option(help: ArgumentHelp("Not before: 8:00, fri 18, 2026-11-21 14:00.", valueName: "time"))
    var from: String?
    @Option(help: ArgumentHelp("Not after.", valueName: "time"))
    var to: String?
    @Option(help: "How many, 1 to 100.")
    var limit: Int = 30
    @Option(help: "Go on where a page ended, as its last line says.")
    var cursor: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...100).contains(limit) else { throw ValidationError("--limit is 1 to 100.") }
    }

    func run(in context: CommandContext) async throws {
        var filter = Events.Filter(cameraID: camera, type: type, incidentID: incident, words: search)
        if from != nil || to != nil {
            let clock = try await context.clock()
            filter.from = try from.map { try Self.moment($0, .beginning, clock) }
            filter.to = try to.map { try Self.moment($0, .end, clock) }
        }
        let look = try await context.events(filter, limit: limit, cursor: cursor)
        try await context.output.show(look) {
            guard !look.answer.events.isEmpty else { return "Nothing was seen." }
            let clock = try await context.clock(look)
            let rows = look.answer.events.map { event in
                [
                    clock.short(event.timestamp), event.cameraName, event.smartDetectionType.rawValue,
                    event.description.replacingOccurrences(of: "\n", with: " ") + (event.isDescribedByMachine ? " (machine)" : ""),
                    event.hasThumbnail ? "yes" : "", event.id,
                ]
            }
            let table = Table("WHEN", "WHERE", "WHAT", "IN WORDS", "PICTURE", "ID", rows: rows).text(context.output)
            return table + (look.answer.nextCursor.map { context.output.dim("\nOlder: cardea events list --cursor \($0)") } ?? "")
        }
    }

    private static func moment(_ text: String, _ edge: TimeParser.Boundary, _ clock: HouseClock) throws -> Date {
        guard let date = TimeParser(zone: clock.zone, now: Date()).date(text, edge) else {
            throw CommandLineError.usage("\"\(text)\" is no time. Write 8:00, fri 18 or 2026-11-21 14:00.")
        }
        return date
    }
}
