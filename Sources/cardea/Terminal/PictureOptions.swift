import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

/// Options of every command that shows a picture.
struct PictureOptions: ParsableArguments {
    @Flag(name: .customLong("no-pictures"), help: "Draw no picture here; say where it is instead.")
    var noPictures = false

    static let help = """
        A terminal that can show pictures draws it: kitty and Ghostty (with ffmpeg installed), iTerm2, WezTerm, Konsole, mintty, Visual Studio
        Code. Elsewhere, in a pipe, in tmux and screen, with NO_COLOR and --no-pictures it lies in a file under CARDEA_HOME, in `pictures`,
        for you alone: the latest \(PictureFolder.maxFiles), each for a week.
        """
}
