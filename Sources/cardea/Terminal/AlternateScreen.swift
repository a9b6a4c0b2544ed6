import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The whole terminal, on a page of its own. What stood there before comes back with `leave`, and the keyboard with it.
final class AlternateScreen {
    private let listensToKeys: Bool
    private var savedAttributes: termios?
    private var drawnLines: [String] = []
    private var isActive = false

    init(listensToKeys: Bool) {
        self.listensToKeys = listensToKeys
    }

    /// As the terminal says just now; what every terminal once had, where it does not say.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    func enter() {
        guard !isActive else { return }
        isActive = true
        enableRawInput()
        // Another page, no cursor, and no line that runs over.
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
        drawnLines = []
    }

    func leave() {
        guard isActive else { return }
        isActive = false
        write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        guard var savedAttributes else { return }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &savedAttributes)
    }

    /// For whoever put this program aside with Ctrl-Z; returns when it is called back.
    func suspend() {
        leave()
        // This thread first, so that nothing is drawn before it is called back.
        raise(SIGSTOP)
        enter()
    }

    /// The next picture is drawn whole.
    func invalidate() { drawnLines = [] }

    /// Draws what is another line than before.
    func draw(_ lines: [String]) {
        var changes = drawnLines.count == lines.count ? "" : "\u{1B}[2J"
        for (row, line) in lines.enumerated() where drawnLines.count != lines.count || drawnLines[row] != line {
            changes += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
        }
        drawnLines = lines
        if !changes.isEmpty { write(changes) }
    }

    /// Keys come at once and are not shown. Ctrl-C and Ctrl-Z stay what they are.
    private func enableRawInput() {
        var now = termios()
        guard listensToKeys, tcgetattr(STDIN_FILENO, &now) == 0 else { return }
        savedAttributes = now
        now.c_lflag &= ~tcflag_t(ECHO | ICANON)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &now)
    }

    private func write(_ text: String) {
        // A terminal that has gone says so with a signal.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
