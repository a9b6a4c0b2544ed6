import CardeaModel

/// What there is not, or not any more.
extension Interview.ClauseReader {
    func readForgetting(from start: Int) -> [Interview.Statement]? {
        guard let at = pieces.indices.dropFirst(start).prefix(4).first(where: { isDenial($0, start: start) }) else {
            return readDismissal(from: start)
        }
        var subjects: [Interview.Statement] = []
        var index = at + 1
        while index < pieces.count {
            if let (mention, next) = mention(at: index) {
                subjects.append(.forget(.thing(mention)))
                index = next
            } else if equipment.utterance(pieces[index].text, is: "all") {
                return [.forget(.everything)]
            } else {
                index += 1
            }
        }
        if !subjects.isEmpty { return subjects }
        // "Forget it", "scratch that", "skip that one".
        return pieces[at].is(.forget) ? [.forget(.topic)] : nil
    }

    /// "The lock isn't ours, forget it."
    func readDismissal(from start: Int) -> [Interview.Statement]? {
        guard let at = pieces.indices.dropFirst(start + 1).last, pieces[at].is(.it) || pieces[at].is(.definite), at - 1 > start,
            pieces[at - 1].is(.forget)
        else { return nil }
        guard let (mention, _) = mention(at: start) else { return [.forget(.topic)] }
        return [.forget(.thing(mention))]
    }

    func isDenial(_ index: Int, start: Int) -> Bool {
        let piece = pieces[index]
        if piece.is(.forget) || piece.is(.haveNot) || piece.is(.thereIsNot) {
            // "Without wifi" and the like come after the thing.
            return !pieces[start..<index].contains { $0.isThing || $0.brand != nil }
        }
        // "No cameras": right before the thing, and nowhere else.
        guard index == start, piece.is(.not), !isCorrection else { return false }
        return self.piece(index + 1).map { $0.isThing || $0.brand != nil && self.piece(index + 2)?.isThing == true } ?? false
    }
}

extension Interview {
    /// True where somebody was asked whether to leave something out and wants it kept: "no, don't remove it", "never mind". One that goes on
    /// with news is news: "no, the fridge is in the kitchen", "no, remove the lamp".
    static func declines(_ utterance: Utterance, _ statements: [Statement]) -> Bool {
        guard statements.allSatisfy({ if case .forget = $0 { true } else { false } }) else { return false }
        let pieces = utterance.clauses.flatMap(\.pieces)
        if pieces.contains(where: \.negatesRemoval) { return true }
        guard pieces.first?.text == "no" else { return false }
        return statements.allSatisfy { if case .forget(.topic) = $0 { true } else { false } }
    }

    /// Whether it says again that these are to be left out, and nothing else.
    func isRemoval(_ statement: Statement, of ids: [String]) -> Bool {
        switch statement {
        case .forget(.topic): return true
        case .forget(.thing(let mention)):
            let meant = find(mention)
            // "Remove one lamp", of three, is something else.
            if let fewer = mention.count, let only = meant.first.flatMap(candidate), fewer < only.count { return false }
            return !meant.isEmpty && meant.allSatisfy(ids.contains)
        default: return false
        }
    }
}

extension Interview.Piece {
    /// "Don't", "not", "never mind"; "we don't have one" says that it is gone, and negates no removal.
    var negatesRemoval: Bool {
        if `is`(.haveNot) || `is`(.thereIsNot) || `is`(.isNot) || `is`(.itIsNot) { return false }
        if ["not", "nevermind", "cannot", "dont", "keep"].contains(text) || text.split(separator: " ").first == "never" { return true }
        return [text, Interview.Equipment.folded(written)].contains { words in
            words.split(separator: " ").contains { $0.hasSuffix("n't") }
        }
    }
}
