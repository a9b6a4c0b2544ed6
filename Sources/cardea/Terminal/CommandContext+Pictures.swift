import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

/// What every command takes that shows a picture.
struct PictureOptions: ParsableArguments {
    @Flag(name: .customLong("no-pictures"), help: "Draw no picture here; say where it is instead.")
    var noPictures = false

    static let help = """
        A terminal that can show pictures draws it: kitty and Ghostty (with ffmpeg installed), iTerm2, WezTerm, Konsole, mintty, Visual Studio
        Code. Elsewhere, in a pipe, in tmux and screen, with NO_COLOR and --no-pictures it lies in a file under CARDEA_HOME, in `pictures`,
        for you alone: the latest \(PictureFolder.maxFiles), each for a week.
        """
}

/// What became of a picture that somebody is to see.
struct PictureDisplay: Sendable {
    /// What the terminal draws, before the words.
    var drawing: TerminalImage?
    /// The file it lies in.
    var file: String?
    /// Since when nobody has heard that it is still this one; nil where the house has just said so.
    var asOf: Date?
    /// Why there is none.
    var failureReason: String?
}

extension CommandContext {
    /// What an event looked like, as the terminal can show it. The event is told also where its picture cannot be had.
    ///
    /// - Parameter keeps: whether it goes into a file where it cannot be drawn.
    func thumbnail(of eventID: String, _ options: PictureOptions, keeps: Bool) async throws -> PictureDisplay {
        do {
            let client = try client()
            guard let replica = try await replicaIfAvailable(of: client) else {
                return await show(try await client.events.thumbnail(of: eventID), as: eventID, options, keeps: keeps)
            }
            let picture = try await replica.thumbnail(of: eventID, atMost: 0)
            var shown = await show(picture.value, as: eventID, options, keeps: keeps)
            if picture.problem != nil { shown.asOf = picture.asOf }
            return shown
        } catch let problem as ClientError {
            if case .api(let answer) = problem, [404, 410].contains(answer.status) {
                return PictureDisplay(failureReason: "No picture is kept.")
            }
            let why = problem.isHubUnreachable ? "It was not looked at here before, and the house cannot be reached." : problem.text
            return PictureDisplay(failureReason: "Its picture cannot be shown. \(why)")
        }
    }

    /// Draws a picture, or keeps it in a file and says where.
    ///
    /// - Parameter name: what it is a picture of, as the house calls it; the file is named after it.
    func show(_ jpeg: Data, as name: String, _ options: PictureOptions, keeps: Bool) async -> PictureDisplay {
        guard let header = try? JPEGHeader([UInt8](jpeg)) else { return PictureDisplay(failureReason: "What came as its picture is none.") }
        var shown = PictureDisplay()
        switch output.isColoured && !options.noPictures ? TerminalImageProtocol.detect(environment) : nil {
        case .iTerm(let isSure):
            shown.drawing = .iTerm(jpeg: jpeg, columns: TerminalImageArea.current.columns(of: header))
            if isSure, shown.drawing != nil { return shown }
        case .kitty:
            guard let maker = PNGConverter(environment) else {
                output.note("This terminal takes no JPEG. With ffmpeg installed the picture is drawn here.")
                break
            }
            shown.drawing = await maker.png(of: jpeg, within: TerminalImageArea.current.pixelSize).map { .kitty(png: $0) }
            if shown.drawing != nil { return shown }
        case nil: break
        }
        guard keeps else { return shown }
        do {
            shown.file = try PictureFolder(home: credentialStore.folder).store(jpeg, as: name)
        } catch {
            shown.failureReason = "Its picture cannot be kept here: \(error)."
        }
        return shown
    }
}

extension PictureDisplay {
    /// What is said of it under the words.
    func lines(_ clock: HouseClock, of what: String) -> [String] {
        [
            file.map { "\(what) is in \($0)." }, asOf.map { "The picture was looked at \(clock.spoken($0))." }, failureReason,
        ].compactMap(\.self)
    }
}

/// What was looked at, and the file its picture lies in.
struct AnswerWithPicture<Answer: Encodable & Sendable>: Encodable, Sendable {
    let look: QueryResult<Answer>
    let file: String?

    func encode(to encoder: any Encoder) throws {
        try look.encode(to: encoder)
        guard let file else { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .pictureFile)
    }

    private enum CodingKeys: String, CodingKey {
        case pictureFile = "picture_file"
    }
}
