import Foundation

/// The text that takes the place of a match, with its groups.
enum RegexReplacement {
    case text(String)
    case group(Int)

    static func parts(of source: String, _ pattern: PythonRegex) throws(TemplateError) -> [RegexReplacement] {
        var parts: [RegexReplacement] = []
        var text = ""
        var rest = source.unicodeScalars[...]
        func group(_ number: Int) throws(TemplateError) -> RegexReplacement {
            guard number <= pattern.groups else { throw .value("the regular expression has no group \(number)") }
            return .group(number)
        }
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                text.unicodeScalars.append(scalar)
                continue
            }
            guard let escape = rest.popFirst() else { throw .value("a replacement ends with an escape") }
            switch escape {
            case "0": text += "\0"
            case "1"..."9":
                var number = Int(escape.value) - 0x30
                if let next = rest.first, ("0"..."9").contains(next) {
                    number = number * 10 + Int(next.value) - 0x30
                    rest.removeFirst()
                }
                parts += [.text(text), try group(number)]
                text = ""
            case "g":
                guard rest.popFirst() == "<", let end = rest.firstIndex(of: ">") else { throw .value("a group has no name") }
                let name = String(rest[..<end])
                rest = rest[rest.index(after: end)...]
                guard let number = Int(name) ?? pattern.names[name], number >= 0 else {
                    throw .value("the regular expression has no group \(name)")
                }
                parts += [.text(text), try group(number)]
                text = ""
            case "n": text += "\n"
            case "r": text += "\r"
            case "t": text += "\t"
            case "\\": text += "\\"
            default:
                guard !(escape.isASCII && escape.properties.isAlphabetic) else { throw .value("a replacement has a wrong escape") }
                text += "\\"
                text.unicodeScalars.append(escape)
            }
        }
        return parts + [.text(text)]
    }
}
