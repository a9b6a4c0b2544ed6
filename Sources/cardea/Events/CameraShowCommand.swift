import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct CameraShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a camera with its current picture.",
        discussion: """
            \(PictureOptions.help) With --json, a picture is taken only for --picture.

              cardea cameras show porch
              cardea cameras show porch --picture porch.jpg
            """)

    @Argument(help: "The camera, by id or name.", completion: .cameras)
    var camera: String
    @Option(help: ArgumentHelp("Save the current picture to this file. An existing file is not overwritten.", valueName: "file"))
    var picture: String?
    @OptionGroup var pictures: PictureOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let all = try await context.query(.cameras)
        let meant = try NameResolver.resolve(camera, among: all.answer.cameras, what: "camera", ids: { [$0.cameraID] }, name: \.name)
        let look = QueryResult(meant, asOf: all.asOf)
        let shown = try await currentPicture(meant, isFresh: all.asOf == nil, context)
        if let drawing = shown.drawing { context.output.draw(drawing) }
        try await context.output.show(look) {
            let clock = try await context.clock(look)
            var lines = ["\(context.output.bold(meant.name)), \(CameraText.status(meant))"]
            lines.append("\(meant.source.kind) at \(meant.source.address)" + (meant.source.hasCredentials ? ", signed in" : ""))
            if meant.detection.motion {
                let zones = meant.detection.zones.map(\.name)
                let place = zones.isEmpty ? "in the whole picture" : "in \(DoorSummaryText.list(zones))"
                lines.append("Detects motion \(place), sensitivity \(meant.detection.sensitivity).")
            }
            lines.append(meant.lastEventAt.map { "Last event \(clock.short($0))." } ?? "No events yet.")
            lines.append("Its events: cardea events list --camera \(meant.cameraID)")
            lines += shown.lines(clock, of: "Its picture")
            if let picture { lines.append("Its picture is in \(picture).") }
            return lines.joined(separator: "\n")
        }
    }

    /// The camera's current picture. If a file was requested, a failure is an error; otherwise the camera is shown without a picture.
    private func currentPicture(_ camera: CameraAnswer, isFresh: Bool, _ context: CommandContext) async throws -> PictureDisplay {
        if let picture {
            let jpeg = try await context.client().cameras.snapshot(of: camera.cameraID)
            try PictureFileWriter.write(jpeg, as: picture)
            return await context.show(jpeg, as: camera.cameraID, pictures, savesToFile: false)
        }
        guard isFresh, !output.json, camera.isEnabled, camera.isOnline else { return PictureDisplay() }
        do {
            let jpeg = try await context.output.showingProgress(for: "Getting a picture from \(camera.name)") {
                try await context.client().cameras.snapshot(of: camera.cameraID)
            }
            return await context.show(jpeg, as: camera.cameraID, pictures, savesToFile: true)
        } catch let problem as ClientError {
            return PictureDisplay(failureReason: "No picture is available. \(problem.text)")
        }
    }
}

/// Writes a picture to a file, and never replaces an existing file.
enum PictureFileWriter {
    static func write(_ bytes: Data, as file: String) throws {
        do {
            try bytes.write(to: URL(filePath: file), options: .withoutOverwriting)
        } catch {
            throw CommandLineError.usage("\(file) exists already or cannot be written. Choose another file.")
        }
    }
}
