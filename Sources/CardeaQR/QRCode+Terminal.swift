extension QRCode {
    /// The characters with which a terminal shows a code.
    public enum TerminalFormat: Hashable, Sendable {
        /// Half blocks in the terminal's own colours: light modules are ink, so a dark terminal shows dark on light.
        case halfBlocks
        /// Half blocks with explicit black and white, so that it scans on a light terminal too.
        case coloured
        /// `##` for a light module, for ASCII-only terminals.
        case ascii
    }

    /// The code as lines of text, with its quiet zone.
    public func terminalText(_ style: TerminalFormat = .halfBlocks) -> String {
        let range = -Self.margin..<(size + Self.margin)
        switch style {
        case .ascii:
            return range.map { row in range.map { self[$0, row] ? "  " : "##" }.joined() + "\n" }.joined()
        case .halfBlocks:
            return lines(range).map { $0 + "\n" }.joined()
        case .coloured:
            // 231 and 16 are the fixed white and black of the 256 colours; a theme may change the first sixteen.
            return lines(range).map { "\u{1B}[38;5;231;48;5;16m\($0)\u{1B}[0m\n" }.joined()
        }
    }

    /// Two rows of modules in one line of text. Light is drawn, dark is left out.
    private func lines(_ range: Range<Int>) -> [String] {
        stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            range.map { column in
                // An odd last row: the half below the quiet zone keeps the terminal's background.
                let isLowerLight = row + 1 < range.upperBound && !self[column, row + 1]
                return switch (!self[column, row], isLowerLight) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }
}
