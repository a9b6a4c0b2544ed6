/// The reason why a template cannot be compiled or rendered.
public enum TemplateError: Error, Hashable, Sendable {
    /// The kind of a name that a template uses and this library does not have.
    public enum Feature: String, Hashable, Sendable {
        case filter
        case function
        case test
        case method
        case statement
    }

    /// A limit that a template exceeded.
    public enum Limit: Hashable, Sendable {
        case source
        case depth
        case steps
        case rounds
        case text
        case number
        case output
        case pattern
    }

    /// The source is not a template. `line` counts from one.
    case syntax(String, line: Int)
    case unknown(Feature, String)
    /// An undefined value was used where Jinja raises. Home Assistant keeps the last state then.
    case undefined(String)
    /// A value has the wrong type for an operation.
    case type(String)
    /// A value has the right type and cannot be used, such as a text that is no number.
    case value(String)
    case divisionByZero
    /// The template reads another entity of Home Assistant.
    case otherEntity(String)
    case limit(Limit)
}

extension TemplateError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .syntax(let reason, let line): "line \(line) of the template: \(reason)"
        case .unknown(let feature, let name): "the template uses a \(feature.rawValue) that is not supported: \(name)"
        case .undefined(let reason): reason
        case .type(let reason), .value(let reason): reason
        case .divisionByZero: "the template divides by zero"
        case .otherEntity(let name): "the template asks for another entity: \(name)"
        case .limit(let limit): limit.description
        }
    }
}

extension TemplateError.Limit: CustomStringConvertible {
    public var description: String {
        switch self {
        case .source: "the template is longer than 32 KiB"
        case .depth: "the template is nested too deeply"
        case .steps: "the template takes too many steps"
        case .rounds: "the template's loops take too many rounds"
        case .text: "the template makes a text or a list that is too long"
        case .number: "the template computes an integer that is too large"
        case .output: "the template's result is longer than 256 KiB"
        case .pattern: "the template's regular expression is too large or takes too many steps"
        }
    }
}
