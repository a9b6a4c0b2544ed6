import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct EventShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an event with its picture.",
        discussion: """
            \(PictureOptions.help)

              cardea events show
              cardea events show event_0199… --picture visitor.jpg
            """)

    @Argument(help: "The event, by id from `cardea events`. Default: the newest.")
    var event: String?
    @Option(help: ArgumentHelp("Save the full picture to this file. An existing file is not overwritten.", valueName: "file"))
    var picture: String?
    @OptionGroup var pictures: PictureOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        var id = event
        if id == nil { id = try await context.events(Events.Filter(), limit: 1).answer.events.first?.id }
        guard let id else { throw CommandLineError.usage("There are no events yet.") }
        let look: QueryResult<EventAnswer>
        do {
            look = try await context.query(.event(id))
        } catch let problem as ClientError where problem.isHubUnreachable {
            // An event that was not opened alone may be in a stored list.
            guard let stored = try await context.storedEvent(id) else { throw problem }
            return try await show(stored, stored.answer.confidence.map { ["\($0) % sure"] } ?? [], in: context)
        }
        let ring = look.answer.isDoorbellRing ? ["The doorbell rang."] : []
        let source = "Reported by \(look.answer.source)" + (look.answer.confidence.map { ", \($0) % sure" } ?? "")
        try await show(look, ring + [source], in: context)
    }

    private func show(_ look: QueryResult<some DisplayableEvent & Encodable & Sendable>, _ more: [String], in context: CommandContext)
        async throws
    {
        let event = look.answer
        if let picture { try PictureFileWriter.write(try await context.client().events.picture(of: event.id), as: picture) }
        let shown =
            event.hasThumbnail
            ? try await context.thumbnail(of: event.id, pictures, savesToFile: picture == nil)
            : PictureDisplay(failureReason: event.pictureProblem?.detail ?? "There is no picture.")
        if let drawing = shown.drawing { context.output.draw(drawing) }
        try await context.output.show(AnswerWithPicture(look: look, file: picture ?? shown.file)) {
            let clock = try await context.clock(look)
            var lines = [
                "\(context.output.bold(event.smartDetectionType.rawValue)) at \(event.cameraName), \(clock.short(event.timestamp))"
            ]
            if !event.description.isEmpty { lines.append(event.description) }
            if event.isDescribedByMachine {
                lines.append(context.output.dim("Described by a language model from the picture. It may be wrong."))
            }
            lines += more
            lines.append("Related events: cardea events list --incident \(event.incidentID)")
            lines += shown.lines(clock, of: "Its picture")
            if let picture { lines.append("Its picture is in \(picture).") }
            return lines.joined(separator: "\n")
        }
    }
}

/// The fields of an event, whether from the house or from storage.
private protocol DisplayableEvent {
    var id: String { get }
    var cameraName: String { get }
    var timestamp: Date { get }
    var description: String { get }
    var smartDetectionType: DetectionType { get }
    var hasThumbnail: Bool { get }
    var pictureProblem: EventPictureProblem? { get }
    var incidentID: String { get }
    var isDescribedByMachine: Bool { get }
}

extension EventSummary: DisplayableEvent {}
extension EventAnswer: DisplayableEvent {}
