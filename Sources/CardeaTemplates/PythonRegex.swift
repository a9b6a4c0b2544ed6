/// A regular expression of Python, compiled to a program that runs in bounded time.
struct PythonRegex: Sendable {
    indirect enum Instruction: Sendable {
        case scalar(Unicode.Scalar)
        case any(withLineFeed: Bool)
        case set(ScalarSet)
        case start(ofLine: Bool)
        case end(ofLine: Bool)
        case endOfText
        case boundary(isNegated: Bool)
        /// Goes on at the first place, and at the second when that fails.
        case split(Int, Int)
        case jump(Int)
        case save(Int)
        /// Remembers where a round of a loop began.
        case mark(Int)
        /// Fails when the round took nothing.
        case progress(Int)
        case back(Int)
        case look(PythonRegex, isBehind: Bool, isNegated: Bool)
        case match
    }

    /// A set of scalars, as `[a-z\d]`.
    struct ScalarSet: Sendable {
        enum Member: Sendable {
            case range(ClosedRange<UInt32>)
            case digit(Bool)
            case word(Bool)
            case space(Bool)
        }

        var members: [Member] = []
        var isNegated = false

        func contains(_ scalar: Unicode.Scalar, ignoringCase: Bool) -> Bool {
            if has(scalar) { return !isNegated }
            if ignoringCase,
                has(scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
                    || has(scalar.properties.uppercaseMapping.unicodeScalars.first ?? scalar)
            {
                return !isNegated
            }
            return isNegated
        }

        private func has(_ scalar: Unicode.Scalar) -> Bool {
            members.contains { member in
                switch member {
                case .range(let range): range.contains(scalar.value)
                case .digit(let expected): (scalar.properties.numericType == .decimal) == expected
                case .word(let expected): PythonRegex.isWord(scalar) == expected
                case .space(let expected): PythonText.isSpace(scalar) == expected
                }
            }
        }
    }

    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    var program: [Instruction] = []
    var groups = 0
    var names: [String: Int] = [:]
    /// Loop registers.
    var marks = 0
    var ignoresCase = false

    init() {}

    /// The places of a match and of its groups, in scalars.
    struct Match {
        let places: [Int]
        var range: Range<Int> { places[0]..<places[1] }

        func range(of group: Int) -> Range<Int>? {
            guard group * 2 + 1 < places.count, places[group * 2] >= 0, places[group * 2 + 1] >= places[group * 2] else { return nil }
            return places[group * 2]..<places[group * 2 + 1]
        }
    }

    /// The first match at or behind `start`. Not an empty one at `forbidden`. Every step is taken from `budget`.
    func firstMatch(
        in text: [Unicode.Scalar], from start: Int, ignoringCase: Bool, forbidden: Int? = nil, isAnchored: Bool = false,
        budget: inout Int
    ) throws(TemplateError) -> Match? {
        var place = start
        while place <= text.count {
            if let match = try match(in: text, at: place, ignoringCase: ignoringCase, forbidden: forbidden, budget: &budget) {
                return match
            }
            if isAnchored { return nil }
            place += 1
        }
        return nil
    }

    private struct Thread {
        var next: Int
        var place: Int
        var saved: [Int]
    }

    private func match(
        in text: [Unicode.Scalar], at start: Int, ignoringCase: Bool, forbidden: Int?, endingAt end: Int? = nil, budget: inout Int
    ) throws(TemplateError) -> Match? {
        let ignoringCase = ignoringCase || ignoresCase
        var threads = [
            Thread(next: 0, place: start, saved: [Int](repeating: -1, count: (groups + 1) * 2 + marks))
        ]
        threads[0].saved[0] = start
        search: while var thread = threads.popLast() {
            while true {
                budget -= 1
                guard budget > 0, threads.count < 20_000 else { throw .limit(.pattern) }
                switch program[thread.next] {
                case .scalar(let scalar):
                    guard thread.place < text.count, Self.areEqual(text[thread.place], scalar, ignoringCase) else { continue search }
                    thread.place += 1
                case .any(let withLineFeed):
                    guard thread.place < text.count, withLineFeed || text[thread.place] != "\n" else { continue search }
                    thread.place += 1
                case .set(let set):
                    guard thread.place < text.count, set.contains(text[thread.place], ignoringCase: ignoringCase) else { continue search }
                    thread.place += 1
                case .start(let ofLine):
                    guard thread.place == 0 || (ofLine && text[thread.place - 1] == "\n") else { continue search }
                case .end(let ofLine):
                    let isLast = thread.place == text.count || (thread.place == text.count - 1 && text[thread.place] == "\n")
                    guard isLast || (ofLine && text[thread.place] == "\n") else { continue search }
                case .endOfText: guard thread.place == text.count else { continue search }
                case .boundary(let isNegated):
                    let before = thread.place > 0 && Self.isWord(text[thread.place - 1])
                    let after = thread.place < text.count && Self.isWord(text[thread.place])
                    guard (before != after) != isNegated else { continue search }
                case .split(let first, let second):
                    threads.append(Thread(next: second, place: thread.place, saved: thread.saved))
                    thread.next = first
                    continue
                case .jump(let target):
                    thread.next = target
                    continue
                case .save(let register): thread.saved[register] = thread.place
                case .mark(let register): thread.saved[(groups + 1) * 2 + register] = thread.place
                case .progress(let register):
                    guard thread.saved[(groups + 1) * 2 + register] != thread.place else { continue search }
                case .back(let group):
                    let (from, to) = (thread.saved[group * 2], thread.saved[group * 2 + 1])
                    guard from >= 0, to >= from, thread.place + to - from <= text.count else { continue search }
                    for offset in 0..<(to - from)
                    where !Self.areEqual(text[from + offset], text[thread.place + offset], ignoringCase) { continue search }
                    budget -= to - from
                    thread.place += to - from
                case .look(let pattern, let isBehind, let isNegated):
                    let holds = try pattern.holds(
                        in: text, at: thread.place, isBehind: isBehind, ignoringCase: ignoringCase, budget: &budget)
                    guard holds != isNegated else { continue search }
                case .match:
                    if let end, thread.place != end { continue search }
                    if thread.place == start, forbidden == start { continue search }
                    thread.saved[1] = thread.place
                    return Match(places: Array(thread.saved.prefix((groups + 1) * 2)))
                }
                thread.next += 1
            }
        }
        return nil
    }

    private func holds(
        in text: [Unicode.Scalar], at place: Int, isBehind: Bool, ignoringCase: Bool, budget: inout Int
    ) throws(TemplateError) -> Bool {
        guard isBehind else {
            return try match(in: text, at: place, ignoringCase: ignoringCase, forbidden: nil, budget: &budget) != nil
        }
        for start in stride(from: place, through: 0, by: -1) {
            let found = try match(in: text, at: start, ignoringCase: ignoringCase, forbidden: nil, endingAt: place, budget: &budget)
            if found != nil { return true }
        }
        return false
    }

    private static func areEqual(_ left: Unicode.Scalar, _ right: Unicode.Scalar, _ ignoringCase: Bool) -> Bool {
        if left == right { return true }
        return ignoringCase && left.properties.lowercaseMapping == right.properties.lowercaseMapping
    }
}
