/// Compiles a regular expression of Python.
struct PythonRegexCompiler {
    private indirect enum Node {
        case instruction(PythonRegex.Instruction)
        case sequence([Node])
        case alternatives([Node])
        case group(Node, Int?)
        case repetition(Node, least: Int, most: Int?, isLazy: Bool)
        case look(Node, isBehind: Bool, isNegated: Bool)
    }

    private static let longestSource = 1_024
    private static let longestProgram = 4_000

    private var rest: Substring.UnicodeScalarView
    private var groups = 0
    private var names: [String: Int] = [:]
    private var ignoresCase = false
    private var isMultiline = false
    private var dotMatchesAll = false
    private var depth = 0

    static func pattern(_ source: String) throws(TemplateError) -> PythonRegex {
        guard source.utf8.count <= longestSource else { throw .limit(.pattern) }
        var compiler = PythonRegexCompiler(rest: source[...].unicodeScalars)
        let node = try compiler.alternatives()
        guard compiler.rest.isEmpty else { throw compiler.syntaxError }
        return try compiler.pattern(of: node)
    }

    private init(rest: Substring.UnicodeScalarView) {
        self.rest = rest
    }

    private var syntaxError: TemplateError { .value("the regular expression is not understood") }

    private mutating func accept(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func accept(_ text: StaticString) -> Bool {
        let word = "\(text)".unicodeScalars
        guard rest.starts(with: word) else { return false }
        rest.removeFirst(word.count)
        return true
    }

    // MARK: Parsing

    private mutating func alternatives() throws(TemplateError) -> Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 24 else { throw .limit(.pattern) }
        var nodes = [try sequence()]
        while accept("|" as Unicode.Scalar) { nodes.append(try sequence()) }
        return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
    }

    private mutating func sequence() throws(TemplateError) -> Node {
        var nodes: [Node] = []
        while let next = rest.first, next != "|", next != ")" {
            guard let atom = try atom() else { continue }
            nodes.append(try repeated(atom))
        }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func repeated(_ atom: Node) throws(TemplateError) -> Node {
        var least = 0
        var most: Int?
        if accept("*" as Unicode.Scalar) {
        } else if accept("+" as Unicode.Scalar) {
            least = 1
        } else if accept("?" as Unicode.Scalar) {
            most = 1
        } else if rest.first == "{", let counts = try counts() {
            (least, most) = counts
        } else {
            return atom
        }
        let isLazy = accept("?" as Unicode.Scalar)
        if let next = rest.first, "*+?".unicodeScalars.contains(next) { throw syntaxError }
        return .repetition(atom, least: least, most: most, isLazy: isLazy)
    }

    /// `{2}`, `{2,}`, `{,3}` or `{2,3}`; nil for a literal brace.
    private mutating func counts() throws(TemplateError) -> (Int, Int?)? {
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let inside = String(rest[rest.index(after: rest.startIndex)..<end])
        guard !inside.isEmpty, inside != ",", inside.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) || $0 == "," }) else {
            return nil
        }
        let parts = inside.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return nil }
        let least = parts[0].isEmpty ? 0 : Int(parts[0])
        let most: Int? = parts.count == 1 ? least : parts[1].isEmpty ? nil : Int(parts[1])
        guard let least, least <= 1_000, (most ?? 0) <= 1_000, parts.count == 1 || parts[1].isEmpty || most != nil else {
            throw .limit(.pattern)
        }
        guard most.map({ $0 >= least }) ?? true else { throw syntaxError }
        rest = rest[rest.index(after: end)...]
        return (least, most)
    }

    /// Nil for flags, which take nothing.
    private mutating func atom() throws(TemplateError) -> Node? {
        guard let scalar = rest.popFirst() else { throw syntaxError }
        switch scalar {
        case ".": return .instruction(.any(withLineFeed: dotMatchesAll))
        case "^": return .instruction(.start(ofLine: isMultiline))
        case "$": return .instruction(.end(ofLine: isMultiline))
        case "[": return .instruction(.set(try set()))
        case "(": return try group()
        case "\\": return try escape()
        case "*", "+", "?": throw syntaxError
        default: return .instruction(.scalar(scalar))
        }
    }

    private mutating func group() throws(TemplateError) -> Node? {
        guard accept("?" as Unicode.Scalar) else {
            groups += 1
            let number = groups
            return try closed(number)
        }
        if accept(":" as Unicode.Scalar) { return try closed(nil) }
        if accept("=" as Unicode.Scalar) { return .look(try closed(nil), isBehind: false, isNegated: false) }
        if accept("!" as Unicode.Scalar) { return .look(try closed(nil), isBehind: false, isNegated: true) }
        if accept("<=") { return .look(try closed(nil), isBehind: true, isNegated: false) }
        if accept("<!") { return .look(try closed(nil), isBehind: true, isNegated: true) }
        if accept("P<") {
            guard let end = rest.firstIndex(of: ">") else { throw syntaxError }
            groups += 1
            names[String(rest[..<end])] = groups
            rest = rest[rest.index(after: end)...]
            return try closed(groups)
        }
        if accept("P=") {
            guard let end = rest.firstIndex(of: ")"), let group = names[String(rest[..<end])] else { throw syntaxError }
            rest = rest[rest.index(after: end)...]
            return .instruction(.back(group))
        }
        while let flag = rest.popFirst() {
            switch flag {
            case "i": ignoresCase = true
            case "m": isMultiline = true
            case "s": dotMatchesAll = true
            case "a", "u", "L": break
            case ")": return nil
            default: throw syntaxError
            }
        }
        throw syntaxError
    }

    private mutating func closed(_ number: Int?) throws(TemplateError) -> Node {
        guard groups <= 50 else { throw .limit(.pattern) }
        let inner = try alternatives()
        guard accept(")" as Unicode.Scalar) else { throw syntaxError }
        return .group(inner, number)
    }

    private mutating func escape() throws(TemplateError) -> Node {
        guard let scalar = rest.popFirst() else { throw syntaxError }
        switch scalar {
        case "A": return .instruction(.start(ofLine: false))
        case "Z": return .instruction(.endOfText)
        case "b": return .instruction(.boundary(isNegated: false))
        case "B": return .instruction(.boundary(isNegated: true))
        case "1"..."9":
            var number = Int(scalar.value) - 0x30
            if let next = rest.first, ("0"..."9").contains(next) {
                number = number * 10 + Int(next.value) - 0x30
                rest.removeFirst()
            }
            guard number <= groups else { throw syntaxError }
            return .instruction(.back(number))
        default:
            if let member = Self.kind(scalar) { return .instruction(.set(.init(members: [member]))) }
            return .instruction(.scalar(try escaped(scalar)))
        }
    }

    private static func kind(_ scalar: Unicode.Scalar) -> PythonRegex.ScalarSet.Member? {
        switch scalar {
        case "d": .digit(true)
        case "D": .digit(false)
        case "w": .word(true)
        case "W": .word(false)
        case "s": .space(true)
        case "S": .space(false)
        default: nil
        }
    }

    private mutating func escaped(_ scalar: Unicode.Scalar) throws(TemplateError) -> Unicode.Scalar {
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "f": return "\u{C}"
        case "v": return "\u{B}"
        case "a": return "\u{7}"
        case "0": return "\0"
        case "x", "u":
            let count = scalar == "x" ? 2 : 4
            let digits = rest.prefix(count)
            guard digits.count == count, let code = UInt32(String(digits), radix: 16), let result = Unicode.Scalar(code) else {
                throw syntaxError
            }
            rest.removeFirst(count)
            return result
        default:
            // Python reserves every other letter.
            guard !(scalar.isASCII && scalar.properties.isAlphabetic) else { throw syntaxError }
            return scalar
        }
    }

    private mutating func set() throws(TemplateError) -> PythonRegex.ScalarSet {
        var set = PythonRegex.ScalarSet()
        set.isNegated = accept("^" as Unicode.Scalar)
        var isFirst = true
        while let scalar = rest.popFirst() {
            if scalar == "]", !isFirst { return set }
            isFirst = false
            var low = scalar
            if scalar == "\\" {
                guard let next = rest.popFirst() else { throw syntaxError }
                if let member = Self.kind(next) {
                    set.members.append(member)
                    continue
                }
                low = next == "b" ? "\u{8}" : try escaped(next)
            }
            guard rest.first == "-", let next = rest.dropFirst().first, next != "]" else {
                set.members.append(.range(low.value...low.value))
                continue
            }
            rest.removeFirst(2)
            var high = next
            if next == "\\" {
                guard let escape = rest.popFirst(), Self.kind(escape) == nil else { throw syntaxError }
                high = try escaped(escape)
            }
            guard low.value <= high.value else { throw syntaxError }
            set.members.append(.range(low.value...high.value))
        }
        throw syntaxError
    }

    // MARK: Emitting

    private func pattern(of node: Node) throws(TemplateError) -> PythonRegex {
        var pattern = PythonRegex()
        pattern.groups = groups
        pattern.names = names
        pattern.ignoresCase = ignoresCase
        try emit(node, to: &pattern)
        pattern.program.append(.match)
        return pattern
    }

    private func emit(_ node: Node, to pattern: inout PythonRegex) throws(TemplateError) {
        guard pattern.program.count <= Self.longestProgram else { throw .limit(.pattern) }
        switch node {
        case .instruction(let instruction): pattern.program.append(instruction)
        case .sequence(let nodes): for node in nodes { try emit(node, to: &pattern) }
        case .alternatives(let nodes):
            var ends: [Int] = []
            for (place, node) in nodes.enumerated() {
                guard place < nodes.count - 1 else {
                    try emit(node, to: &pattern)
                    break
                }
                let split = pattern.program.count
                pattern.program.append(.match)
                try emit(node, to: &pattern)
                ends.append(pattern.program.count)
                pattern.program.append(.match)
                pattern.program[split] = .split(split + 1, pattern.program.count)
            }
            for end in ends { pattern.program[end] = .jump(pattern.program.count) }
        case .group(let inner, let number):
            if let number { pattern.program.append(.save(number * 2)) }
            try emit(inner, to: &pattern)
            if let number { pattern.program.append(.save(number * 2 + 1)) }
        case .look(let inner, let isBehind, let isNegated):
            pattern.program.append(.look(try self.pattern(of: inner), isBehind: isBehind, isNegated: isNegated))
        case .repetition(let inner, let least, let most, let isLazy):
            for _ in 0..<least { try emit(inner, to: &pattern) }
            guard let most else { return try emitLoop(inner, isLazy: isLazy, to: &pattern) }
            var splits: [Int] = []
            for _ in 0..<(most - least) {
                splits.append(pattern.program.count)
                pattern.program.append(.match)
                try emit(inner, to: &pattern)
            }
            for split in splits {
                pattern.program[split] = isLazy ? .split(pattern.program.count, split + 1) : .split(split + 1, pattern.program.count)
            }
        }
    }

    private func emitLoop(_ inner: Node, isLazy: Bool, to pattern: inout PythonRegex) throws(TemplateError) {
        let mark = pattern.marks
        pattern.marks += 1
        let split = pattern.program.count
        pattern.program.append(.match)
        pattern.program.append(.mark(mark))
        try emit(inner, to: &pattern)
        pattern.program.append(.progress(mark))
        pattern.program.append(.jump(split))
        pattern.program[split] = isLazy ? .split(pattern.program.count, split + 1) : .split(split + 1, pattern.program.count)
    }
}
