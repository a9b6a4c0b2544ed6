/// The bounds of one template and of one rendering.
enum TemplateLimits {
    static let source = 32 * 1024
    /// Nested expressions, statements and values.
    static let depth = 64
    /// The height of a tree, which chains such as `a + b + c` add to.
    static let height = 200
    static let steps = 10_000
    static let rounds = 1_000
    /// Bytes of one text.
    static let text = 256 * 1024
    /// Elements of one list.
    static let elements = 10_000
    static let output = 256 * 1024
    /// Bytes of text that one step pays for.
    static let bytesPerStep = 256
}
