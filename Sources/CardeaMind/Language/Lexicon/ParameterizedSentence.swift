import CardeaModel
import Foundation

/// A sentence of the lexicon, with the names and the temperatures in it. Names are what people called their things: they are put in last, as
/// they are, and nothing in them is read as part of the sentence. Temperatures are kept in °C, and told in the degrees of whoever reads them.
public struct ParameterizedSentence: Codable, Hashable, Sendable, CustomStringConvertible {
    /// `{}` stands where a name comes, `{#}` where a temperature does, and `{°}` where it is said in which degrees.
    public let form: String
    public let names: [String]
    /// °C, in the order in which the sentence has them.
    public let warmths: [Double]

    enum Marker: String, CaseIterable {
        case name = "{}"
        case warmth = "{#}"
        case sign = "{°}"
    }

    public init(_ form: String, _ names: String...) { self.init(form, names: names) }

    init(_ form: String, names: [String], warmths: [Double] = []) {
        self.form = form
        self.names = names
        self.warmths = warmths
    }

    private enum CodingKeys: String, CodingKey {
        case form, names, warmths
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        form = try container.decode(String.self, forKey: .form)
        names = try container.decode([String].self, forKey: .names)
        // What an older house kept has its temperatures in its form, in °C.
        warmths = try container.decodeIfPresent([Double].self, forKey: .warmths) ?? []
    }

    /// As the house itself keeps it, in °C.
    public var text: String { text(in: .celsius) }

    /// As somebody reads it.
    public func text(in degrees: TemperatureUnit) -> String {
        var text = ""
        var rest = form[...]
        var (names, warmths) = (self.names[...], self.warmths[...])
        while let (mark, range) = Self.firstMarker(in: rest) {
            text += rest[..<range.lowerBound]
            switch mark {
            case .name: text += names.popFirst() ?? "something"
            case .warmth: text += warmths.popFirst().map { HabitText.number(degrees.fromCelsius($0)) } ?? "?"
            case .sign: text += degrees.symbol
            }
            rest = rest[range.upperBound...]
        }
        return text + rest
    }

    public var description: String { text }

    /// The same names and temperatures in another sentence, which has them in the same order.
    func with(form: String) -> ParameterizedSentence { ParameterizedSentence(form, names: names, warmths: warmths) }

    private static func firstMarker(in text: Substring) -> (Marker, Range<String.Index>)? {
        Marker.allCases.compactMap { mark in text.range(of: mark.rawValue).map { (mark, $0) } }
            .min { $0.1.lowerBound < $1.1.lowerBound }
    }
}

// MARK: Kept beside a memory's words

extension ParameterizedSentence {
    init?(kept: JSONValue?) {
        guard let form = kept?["form"]?.string, case .array(let names)? = kept?["names"], case .array(let warmths)? = kept?["warmths"]
        else { return nil }
        self.init(form, names: names.compactMap(\.string), warmths: warmths.compactMap(\.number))
    }

    var stored: JSONValue {
        ["form": .string(form), "names": .array(names.map { .string($0) }), "warmths": .array(warmths.map { .number($0) })]
    }
}
