/// Several kinds of things in one breath.
extension SentenceReading {
    /// "Are the lamps and fans in the study on?": what is said of several kinds is said of each. Nil where a sentence speaks of one.
    func severalKinds(_ marks: [Mark], _ words: [Word]) -> Understanding? {
        guard let each = Self.oneByOne(marks) else { return nil }
        // Kinds upon kinds are nothing that people say.
        guard unfolded < 2, each.count <= 6 else { return .noSense }
        var reading = self
        reading.unfolded += 1
        var parts: [Understanding] = []
        for marks in each {
            switch reading.read(marks, words) {
            case .several(let several): parts += several.filter { !parts.contains($0) }
            case .question(let question): parts.append(.question(question))
            case .wishes(let wishes): parts.append(.wishes(wishes))
            case let other: return other
            }
        }
        let wishes = parts.compactMap { if case .wishes(let wishes) = $0 { wishes } else { nil } }
        return wishes.count == parts.count ? .wishes(wishes.flatMap(\.self)) : .several(parts)
    }

    /// "Lamps in the study?": which of them there are.
    func listing(_ clause: Clause) -> Understanding? {
        guard clause.isPlural, clause.hasAny(.room, .floor), clause.subject.named.isEmpty,
            clause.tags.isSubset(of: [.kind, .device, .room, .floor, .joint(.all), .joint(.any)])
        else { return nil }
        return .question(Question(ask: .list, subject: clause.subject))
    }

    /// The same sentence with each of the kinds that stand side by side in it; nil where none do.
    private static func oneByOne(_ marks: [Mark]) -> [[Mark]]? {
        var place = 0
        while let start = marks[place...].firstIndex(where: { $0.kind != nil }) {
            // What follows "except" is left out together.
            if marks[..<start].contains(where: { $0.meaning == .sense(.joint(.except)) }) { return nil }
            let (kinds, end) = row(marks, from: start)
            place = end
            guard Set(kinds.map { $0.compactMap(\.kind) }).count > 1 else { continue }
            let (before, after) = (marks[..<start], marks[end...])
            // "Close the blinds and lights off": each has a verb of its own.
            let own = (
                before.split { $0.isAnd }.last.map { Clause(Array($0)) },
                after.isEmpty ? nil : after.split(omittingEmptySubsequences: false) { $0.isAnd }.first.map { Clause(Array($0)) }
            )
            if own.0?.acts(withTurning: false) == true, own.1?.acts(withTurning: true) == true { continue }
            return kinds.map { Array(before) + $0 + Array(after) }
        }
        return nil
    }

    /// Kinds from `start` on with nothing but "and" and small words between them, and where they end. "Window sensor" is one of them,
    /// "lamps, fans" are two.
    private static func row(_ marks: [Mark], from start: Int) -> (kinds: [[Mark]], end: Int) {
        var (groups, end): ([[Mark]], Int) = ([[]], start)
        for place in start..<marks.count {
            let mark = marks[place]
            if mark.kind != nil {
                groups[groups.count - 1].append(mark)
                end = place + 1
            } else if mark.isAnd {
                groups.append([])
            } else if !mark.isSmall {
                break
            }
        }
        let kinds = groups.filter { !$0.isEmpty }
        guard kinds.count > 1 else { return (kinds, end) }
        return (kinds.flatMap { group in group.allSatisfy(\.isSeveral) ? group.map { [$0] } : [group] }, end)
    }
}

extension Mark {
    fileprivate var kind: Kind? {
        switch meaning {
        case .sense(.one(let kind)), .sense(.many(let kind)): kind
        default: nil
        }
    }

    fileprivate var isSeveral: Bool { if case .sense(.many) = meaning { true } else { false } }
    fileprivate var isAnd: Bool { meaning == .sense(.joint(.and)) }

    /// "The", "a", "all".
    fileprivate var isSmall: Bool {
        [.sense(.noise), .sense(.joint(.one)), .sense(.joint(.all)), .sense(.joint(.any))].contains(meaning)
    }
}

extension Clause {
    /// Whether it says what is done, or how things stand. "Turn" alone still waits for its "off".
    fileprivate func acts(withTurning isWhole: Bool) -> Bool {
        has(.power) || !dones.isEmpty || bases.contains { isWhole || $0 != .turn }
    }
}
