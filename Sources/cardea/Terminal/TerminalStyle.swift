/// Text styles on a terminal; without one the text stays plain.
struct TerminalStyle: Sendable {
    let isColoured: Bool

    func dim(_ text: String) -> String { styled(text, 2) }
    func bold(_ text: String) -> String { styled(text, 1) }
    func red(_ text: String) -> String { styled(text, 31) }
    func green(_ text: String) -> String { styled(text, 32) }
    func yellow(_ text: String) -> String { styled(text, 33) }
    /// Text that must be noticed.
    func inverse(_ text: String) -> String { styled(text, 7) }

    private func styled(_ text: String, _ code: Int) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
