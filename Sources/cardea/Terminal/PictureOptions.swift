import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

/// Options of every command that shows a picture.
struct PictureOptions: ParsableArguments {
    @Flag(name: .customLong("no-pictures"), help: "Do not draw the picture; print its file instead.")
    var noPictures = false

    static let help = """
        The picture is drawn in kitty and Ghostty (with ffmpeg installed), iTerm2, WezTerm, Konsole, mintty and Visual Studio Code. In
        other terminals, in a pipe, in tmux and screen, and with NO_COLOR or --no-pictures, it is stored as a file in CARDEA_HOME/pictures,
        readable by you only. The latest \(PictureFolder.maxFiles) files are kept, each for a week.
        """
}
