import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct CameraShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One camera, with what it shows now.",
        discussion: """
            \(PictureOptions.help) With --json the camera is looked through for --picture alone.

              cardea cameras show porch
              cardea cameras show porch --picture porch.jpg
            """)

    @Argument(help: "The camera, by id or name.", completion: .cameras)
    var camera: String
    @Option(help: ArgumentHelp("Where to put what it shows now. A file that is there already is left alone.", valueName: "file"))
    var picture: String?
    @OptionGroup var pictures: PictureOptions
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let all = try await sitting.look(.cameras)
        let meant = try Named.find(camera, among: all.answer.cameras, what: "camera", ids: { [$0.cameraID] }, name: \.name)
        let look = Look(meant, asOf: all.asOf)
        let shown = try await now(meant, isFresh: all.asOf == nil, sitting)
        if let drawing = shown.drawing { sitting.output.draw(drawing) }
        try await sitting.output.show(look) {
            let clock = try await sitting.clock(look)
            var lines = ["\(sitting.output.bold(meant.name)), \(CameraWords.standing(meant))"]
            lines.append("\(meant.source.kind) at \(meant.source.address)" + (meant.source.hasCredentials ? ", signed in" : ""))
            if meant.detection.motion {
                let zones = meant.detection.zones.map(\.name)
                let place = zones.isEmpty ? "in the whole picture" : "in \(HouseSentence.list(zones))"
                lines.append("Motion is looked for \(place), sensitivity \(meant.detection.sensitivity).")
            }
            lines.append(meant.lastEventAt.map { "Saw something last \(clock.short($0))." } ?? "It has seen nothing yet.")
            lines.append("What it saw: cardea events list --camera \(meant.cameraID)")
            lines += shown.lines(clock, of: "What it shows")
            if let picture { lines.append("What it shows is in \(picture).") }
            return lines.joined(separator: "\n")
        }
    }

    /// What the camera shows now. Whoever only reads about it still does where it shows nothing; whoever wants the file is told why there is none.
    private func now(_ camera: CameraAnswer, isFresh: Bool, _ sitting: Sitting) async throws -> ShownPicture {
        if let picture {
            let jpeg = try await sitting.client().cameras.snapshot(of: camera.cameraID)
            try PictureOnDisk.write(jpeg, as: picture)
            return await sitting.show(jpeg, as: camera.cameraID, pictures, keeps: false)
        }
        guard isFresh, !output.json, camera.isEnabled, camera.isOnline else { return ShownPicture() }
        do {
            let jpeg = try await sitting.output.waiting(for: "Looking through \(camera.name)") {
                try await sitting.client().cameras.snapshot(of: camera.cameraID)
            }
            return await sitting.show(jpeg, as: camera.cameraID, pictures, keeps: true)
        } catch let problem as ClientError {
            return ShownPicture(why: "It shows nothing now. \(problem.text)")
        }
    }
}

/// A picture of the house as a file, which never takes another's place.
enum PictureOnDisk {
    static func write(_ bytes: Data, as file: String) throws {
        do {
            try bytes.write(to: URL(filePath: file), options: .withoutOverwriting)
        } catch {
            throw Failure.usage("\(file) is there already, or cannot be written.")
        }
    }
}
