/// How words stand out on a terminal; elsewhere they do not.
struct Ink: Sendable {
    let isColoured: Bool

    func dim(_ text: String) -> String { paint(text, 2) }
    func bold(_ text: String) -> String { paint(text, 1) }
    func red(_ text: String) -> String { paint(text, 31) }
    func green(_ text: String) -> String { paint(text, 32) }
    func yellow(_ text: String) -> String { paint(text, 33) }
    /// What one must not miss.
    func bright(_ text: String) -> String { paint(text, 7) }

    private func paint(_ text: String, _ code: Int) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
