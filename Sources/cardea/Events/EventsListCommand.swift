import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct EventsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List camera and doorbell events, newest first.",
        discussion: """
            --search looks in descriptions, types and camera names; all words must match. If the house cannot be reached, the last answer is
            shown, or matches among the latest 100 events stored here.

              cardea events
              cardea events list --search "red van" --camera porch
              cardea events list --type package --from "fri 8:00" --to now
            """)

    @Option(help: ArgumentHelp("Show only events with these words.", valueName: "words"))
    var search: String?
    @Option(help: "Show only events of this camera or other source, by id or name.")
    var camera: String?
    @Option(help: "Show only this type: person, vehicle, package, animal, motion, ring, …")
    var type: String?
    @Option(help: "Show only events of this incident, by id.")
    var incident: String?
    @Option(help: ArgumentHelp("Show only events from this time on: 8:00, fri 18, 2026-11-21 14:00.", valueName: "time"))
    var from: String?
    @Option(help: ArgumentHelp("Show only events up to this time.", valueName: "time"))
    var to: String?
    @Option(help: "The number of events to show, 1 to 100.")
    var limit: Int = 30
    @Option(help: "Continue after a page; its last line gives the value.")
    var cursor: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (1...100).contains(limit) else { throw ValidationError("--limit needs 1 to 100.") }
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
            guard !look.answer.events.isEmpty else { return "No events." }
            let clock = try await context.clock(look)
            let rows = look.answer.events.map { event in
                [
                    clock.short(event.timestamp), event.cameraName, event.smartDetectionType.rawValue,
                    event.description.replacingOccurrences(of: "\n", with: " ") + (event.isDescribedByMachine ? " (machine)" : ""),
                    event.hasThumbnail ? "yes" : "", event.id,
                ]
            }
            let table = Table("WHEN", "WHERE", "TYPE", "DESCRIPTION", "PICTURE", "ID", rows: rows).text(context.output)
            return table + (look.answer.nextCursor.map { context.output.dim("\nOlder: cardea events list --cursor \($0)") } ?? "")
        }
    }

    private static func moment(_ text: String, _ edge: TimeParser.Boundary, _ clock: HouseClock) throws -> Date {
        guard let date = TimeParser(zone: clock.zone, now: Date()).date(text, edge) else {
            throw CommandLineError.usage("\"\(text)\" is not a time. Write 8:00, fri 18 or 2026-11-21 14:00.")
        }
        return date
    }
}
