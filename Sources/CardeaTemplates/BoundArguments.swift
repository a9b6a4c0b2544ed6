import Foundation

/// The arguments of one call, in the order of the parameters.
struct BoundArguments {
    private var values: [Value?]

    init(
        _ name: String, _ signature: Builtin.Signature, _ positional: [Value], _ keywords: [(name: String, value: Value)]
    ) throws(TemplateError) {
        guard positional.count <= signature.parameters.count else { throw .type("\(name) has too many arguments") }
        values = positional
        if !keywords.isEmpty {
            values += [Value?](repeating: nil, count: signature.parameters.count - positional.count)
            for (keyword, value) in keywords {
                guard let place = signature.parameters.firstIndex(of: keyword), values[place] == nil else {
                    throw .type("\(name) does not take \(keyword)")
                }
                values[place] = value
            }
        }
        for place in 0..<signature.required where self[place] == nil { throw .type("\(name) needs \(signature.parameters[place])") }
    }

    subscript(place: Int) -> Value? { place < values.count ? values[place] : nil }

    /// The first, which is always there when it is required.
    var value: Value { self[0] ?? .null }

    func isTrue(_ place: Int, or standard: Bool = false) -> Bool { self[place]?.isTrue ?? standard }
}
