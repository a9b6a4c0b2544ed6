import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The terminal's alternate screen. `leave` restores the previous screen and the keyboard.
final class AlternateScreen {
    private let listensToKeys: Bool
    private var savedAttributes: termios?
    private var drawnLines: [String] = []
    private var isActive = false

    init(listensToKeys: Bool) {
        self.listensToKeys = listensToKeys
    }

    /// The terminal's present size; 80 columns and 24 rows if it reports none.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    func enter() {
        guard !isActive else { return }
        isActive = true
        enableRawInput()
        // Alternate screen, no cursor, and no line wrapping.
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

    /// Suspends the program after Ctrl-Z; returns when it is resumed.
    func suspend() {
        leave()
        // This thread first, so that nothing is drawn before it resumes.
        raise(SIGSTOP)
        enter()
    }

    /// The next picture is drawn whole.
    func invalidate() { drawnLines = [] }

    /// Draws the lines that differ from the previous ones.
    func draw(_ lines: [String]) {
        var changes = drawnLines.count == lines.count ? "" : "\u{1B}[2J"
        for (row, line) in lines.enumerated() where drawnLines.count != lines.count || drawnLines[row] != line {
            changes += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
        }
        drawnLines = lines
        if !changes.isEmpty { write(changes) }
    }

    /// Keys are read at once and are not echoed. Ctrl-C and Ctrl-Z keep their meaning.
    private func enableRawInput() {
        var now = termios()
        guard listensToKeys, tcgetattr(STDIN_FILENO, &now) == 0 else { return }
        savedAttributes = now
        now.c_lflag &= ~tcflag_t(ECHO | ICANON)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &now)
    }

    private func write(_ text: String) {
        // A closed terminal sends a signal.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
