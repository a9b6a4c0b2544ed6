import CardeaModel
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The protocol by which a terminal shows a picture.
///
/// Sixel is left out: it needs a palette of at most 256 colours that would have to be computed, and few terminals support nothing else.
enum TerminalImageProtocol: Hashable, Sendable {
    /// Kitty's graphics protocol, which takes PNG and no JPEG (sw.kovidgoyal.net/kitty/graphics-protocol).
    case kitty
    /// iTerm2's inline images, which take a JPEG as it is (iterm2.com/documentation-images.html).
    ///
    /// - Parameter isSure: false if a setting, which cannot be read here, may keep pictures from being shown.
    case iTerm(isSure: Bool)

    /// Detects the protocol from the terminal's environment variables; nil if it is not known to show pictures.
    static func detect(_ environment: [String: String]) -> TerminalImageProtocol? {
        func value(_ name: String) -> String { environment[name] ?? "" }
        let term = value("TERM")
        // A multiplexer passes pictures on only if configured to, and inherits the variables of the terminal around it.
        guard ["TMUX", "STY", "ZELLIJ"].allSatisfy({ value($0).isEmpty }), !["screen", "tmux", "dumb"].contains(where: term.hasPrefix)
        else { return nil }
        // Each terminal sets its own TERM. The other variables may be inherited from the terminal that started it, so the variable that
        // every terminal sets comes before those that few set.
        if ["xterm-kitty", "xterm-ghostty"].contains(term) { return .kitty }
        switch value("TERM_PROGRAM") {
        case "iTerm.app", "WezTerm", "mintty": return .iTerm(isSure: true)
        // terminal.integrated.enableImages
        case "vscode": return .iTerm(isSure: false)
        case "ghostty": return .kitty
        case "": break
        default: return nil
        }
        if !value("KITTY_WINDOW_ID").isEmpty { return .kitty }
        // Passed along by iTerm2 to remote hosts.
        if value("LC_TERMINAL") == "iTerm2" { return .iTerm(isSure: true) }
        // Konsole supports them since 22.04.
        return (Int(value("KONSOLE_VERSION")) ?? 0) >= 220_400 ? .iTerm(isSure: true) : nil
    }
}

/// The space that the terminal has for a picture.
struct TerminalImageArea: Hashable, Sendable {
    let columns: Int
    let rows: Int
    /// Pixels; 0 if the terminal does not report them.
    var width = 0
    var height = 0

    /// Rows that are left for the words.
    private static let textRows = 6
    /// A thumbnail is no wider than this.
    private static let maxWidth = 640

    static var current: TerminalImageArea {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return TerminalImageArea(columns: 80, rows: 24)
        }
        return TerminalImageArea(
            columns: Int(size.ws_col), rows: Int(size.ws_row), width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
    }

    private var imageRows: Int { max(4, rows - Self.textRows) }

    /// Columns of a picture of this shape, so that all of it is seen with the words under it. A sign is about twice as high as it is wide.
    func columns(of picture: JPEGHeader) -> Int {
        let byHeight = imageRows * 2 * picture.width / max(1, picture.height)
        return max(1, min(columns - 1, 64, byHeight))
    }

    /// Pixels within which a picture is seen as a whole.
    var pixelSize: (width: Int, height: Int) {
        guard width > 0, height > 0 else { return (Self.maxWidth, Self.maxWidth * 3 / 4) }
        return (max(16, min(width, Self.maxWidth)), max(16, height * imageRows / max(rows, imageRows)))
    }
}
