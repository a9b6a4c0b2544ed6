import CardeaModel
import Foundation

/// A template in the Jinja of Home Assistant: compiled once, rendered often, bounded in every way.
public struct Template: Sendable {
    public let source: String
    private let statements: [Statement]
    /// Constant regular expressions, compiled.
    private let patterns: [String: PythonRegex]

    /// Compiles `source`.
    public init(_ source: String) throws(TemplateError) {
        guard source.utf8.count <= TemplateLimits.source else { throw .limit(.source) }
        self.source = source
        statements = try Parser.statements(of: PythonText.stripped(source))
        patterns = RegexCollector.patterns(in: statements)
    }

    /// The template contains no expression, statement or comment: its result is its text.
    public static func isPlain(_ text: String) -> Bool {
        var wasBrace = false
        for byte in text.utf8 {
            if wasBrace, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "#") { return false }
            wasBrace = byte == UInt8(ascii: "{")
        }
        return true
    }

    /// The text that the template makes of `variables`, without white space at its ends.
    public func render(_ variables: [String: JSONValue], at now: Date, in zone: TimeZone) throws(TemplateError) -> String {
        try render(TemplateVariables(variables), at: now, in: zone)
    }

    /// The same, with variables that keep what JSON text says of numbers and order.
    public func render(_ variables: TemplateVariables, at now: Date, in zone: TimeZone) throws(TemplateError) -> String {
        if statements.count == 1, case .data(let text) = statements[0] { return text }
        var renderer = Renderer(variables: variables, patterns: patterns, now: now, zone: zone)
        return try renderer.render(statements)
    }
}

extension Template: Hashable {
    public static func == (left: Template, right: Template) -> Bool { left.source == right.source }

    public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
