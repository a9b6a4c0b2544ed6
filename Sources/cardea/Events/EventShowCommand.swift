import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct EventShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One event, and its picture into a file.",
        discussion: """
              cardea events show
              cardea events show event_0199… --picture visitor.jpg
            """)

    @Argument(help: "The event, by the id that the list shows. Left out: the newest.")
    var event: String?
    @Option(help: ArgumentHelp("Where to put the whole picture. A file that is there already is left alone.", valueName: "file"))
    var picture: String?
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        var id = event
        if id == nil { id = try await sitting.look(.events()).answer.events.first?.id }
        guard let id else { throw Failure.usage("Nothing was seen yet.") }
        let look = try await sitting.look(.event(id))
        if let picture { try PictureOnDisk.write(try await sitting.client().events.picture(of: id), as: picture) }
        let answer = look.answer
        try await sitting.output.show(look) {
            let clock = try await sitting.clock(look)
            let kind = sitting.output.bold(answer.smartDetectionType.rawValue)
            var lines = ["\(kind) at \(answer.cameraName), \(clock.short(answer.timestamp))"]
            if !answer.description.isEmpty { lines.append(answer.description) }
            if answer.isDescribedByMachine {
                lines.append(sitting.output.dim("Described by a machine, from the picture. It may be wrong."))
            }
            if answer.isDoorbellRing { lines.append("Somebody rang.") }
            lines.append("Said by \(answer.source)" + (answer.confidence.map { ", \($0) % sure" } ?? ""))
            lines.append("Together with: cardea events list --incident \(answer.incidentID)")
            if !answer.hasThumbnail { lines.append("No picture is kept.") }
            if let picture { lines.append("Its picture is in \(picture).") }
            return lines.joined(separator: "\n")
        }
    }
}
