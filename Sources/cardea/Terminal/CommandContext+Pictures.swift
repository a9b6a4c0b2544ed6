import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

extension CommandContext {
    /// The thumbnail of an event in a form that the terminal can show. If the picture is unavailable, the result says why.
    ///
    /// - Parameter savesToFile: true to store it in a file if it cannot be drawn.
    func thumbnail(of eventID: String, _ options: PictureOptions, savesToFile: Bool) async throws -> PictureDisplay {
        do {
            let client = try client()
            guard let replica = try await replicaIfAvailable(of: client) else {
                return await show(try await client.events.thumbnail(of: eventID), as: eventID, options, savesToFile: savesToFile)
            }
            let picture = try await replica.thumbnail(of: eventID, atMost: 0)
            var shown = await show(picture.value, as: eventID, options, savesToFile: savesToFile)
            if picture.problem != nil { shown.asOf = picture.asOf }
            return shown
        } catch let problem as ClientError {
            if case .api(let answer) = problem, [404, 410].contains(answer.status) {
                return PictureDisplay(failureReason: "There is no picture.")
            }
            let why = problem.isHubUnreachable ? "It was not viewed here before, and the house cannot be reached." : problem.text
            return PictureDisplay(failureReason: "Its picture cannot be shown. \(why)")
        }
    }

    /// Draws a picture, or stores it in a file and reports the path.
    ///
    /// - Parameter name: the house's name for its subject; the file is named after it.
    func show(_ jpeg: Data, as name: String, _ options: PictureOptions, savesToFile: Bool) async -> PictureDisplay {
        guard let header = try? JPEGHeader([UInt8](jpeg)) else { return PictureDisplay(failureReason: "The picture is not a valid JPEG.") }
        var shown = PictureDisplay()
        switch output.isColoured && !options.noPictures ? TerminalImageProtocol.detect(environment) : nil {
        case .iTerm(let isSure):
            shown.drawing = .iTerm(jpeg: jpeg, columns: TerminalImageArea.current.columns(of: header))
            if isSure, shown.drawing != nil { return shown }
        case .kitty:
            guard let maker = PNGConverter(environment) else {
                output.note("This terminal cannot draw JPEG. Install ffmpeg to draw pictures here.")
                break
            }
            shown.drawing = await maker.png(of: jpeg, within: TerminalImageArea.current.pixelSize).map { .kitty(png: $0) }
            if shown.drawing != nil { return shown }
        case nil: break
        }
        guard savesToFile else { return shown }
        do {
            shown.file = try PictureFolder(home: credentialStore.folder).store(jpeg, as: name)
        } catch {
            shown.failureReason = "Its picture cannot be stored here: \(error)."
        }
        return shown
    }
}
