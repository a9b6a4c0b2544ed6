import Foundation

/// A picture as an escape sequence of the terminal.
///
/// Between the fixed parts there is only base64, not even a name: picture data cannot send control sequences to the terminal.
struct TerminalImage: Hashable, Sendable {
    let text: String

    /// The most base64 that one of kitty's escape codes may hold.
    static let kittyChunkSize = 4096
    /// iTerm2 and tmux take escape codes of at most 1 048 576 bytes.
    static let iTermMaxSize = 1_000_000

    private static let stringTerminator = "\u{1B}\\"

    private init(text: String) { self.text = text }

    /// Draws at the cursor in the picture's own size. The terminal is told to send no reply, which would be read as typed text.
    static func kitty(png: Data) -> TerminalImage {
        var rest = png.base64EncodedString()[...]
        var text = ""
        repeat {
            let chunk = rest.prefix(kittyChunkSize)
            rest = rest.dropFirst(chunk.count)
            // Later chunks say only whether another one follows.
            let words = text.isEmpty ? "a=T,f=100,q=2," : ""
            text += "\u{1B}_G\(words)m=\(rest.isEmpty ? 0 : 1);\(chunk)\(stringTerminator)"
        } while !rest.isEmpty
        return TerminalImage(text: text)
    }

    /// Draws at the cursor, `columns` wide; nil if the picture is too large for one escape code.
    static func iTerm(jpeg: Data, columns: Int) -> TerminalImage? {
        let base64 = jpeg.base64EncodedString()
        guard base64.utf8.count <= iTermMaxSize else { return nil }
        return TerminalImage(
            text: "\u{1B}]1337;File=inline=1;size=\(jpeg.count);width=\(columns);preserveAspectRatio=1:\(base64)\(stringTerminator)")
    }
}
