import CardeaModel

/// Parses statements that something does not exist, or not any more.
extension Interview.ClauseParser {
    func parseRemoval(from start: Int) -> [Interview.Statement]? {
        guard let at = tokens.indices.dropFirst(start).prefix(4).first(where: { isNegation($0, start: start) }) else {
            return parseDismissal(from: start)
        }
        var subjects: [Interview.Statement] = []
        var index = at + 1
        while index < tokens.count {
            if let (mention, next) = parseMention(at: index) {
                subjects.append(.forget(.thing(mention)))
                index = next
            } else if equipment.matches(tokens[index].text, is: "all") {
                return [.forget(.everything)]
            } else {
                index += 1
            }
        }
        if !subjects.isEmpty { return subjects }
        // "Forget it", "scratch that", "skip that one".
        return tokens[at].is(.forget) ? [.forget(.topic)] : nil
    }

    /// "The lock isn't ours, forget it."
    func parseDismissal(from start: Int) -> [Interview.Statement]? {
        guard let at = tokens.indices.dropFirst(start + 1).last, tokens[at].is(.it) || tokens[at].is(.definite), at - 1 > start,
            tokens[at - 1].is(.forget)
        else { return nil }
        guard let (mention, _) = parseMention(at: start) else { return [.forget(.topic)] }
        return [.forget(.thing(mention))]
    }

    func isNegation(_ index: Int, start: Int) -> Bool {
        let currentToken = tokens[index]
        if currentToken.is(.forget) || currentToken.is(.haveNot) || currentToken.is(.thereIsNot) {
            // "Without wifi" and the like come after the thing.
            return !tokens[start..<index].contains { $0.isDevice || $0.brand != nil }
        }
        // "No cameras": right before the thing, and nowhere else.
        guard index == start, currentToken.is(.not), !isCorrection else { return false }
        return self.token(index + 1).map { $0.isDevice || $0.brand != nil && self.token(index + 2)?.isDevice == true } ?? false
    }
}

extension Interview {
    /// True if the person declines the removal they were asked about: "no, don't remove it", "never mind". An answer that goes on with news
    /// is news: "no, the fridge is in the kitchen", "no, remove the lamp".
    static func declinesRemoval(_ utterance: Utterance, _ statements: [Statement]) -> Bool {
        guard statements.allSatisfy({ if case .forget = $0 { true } else { false } }) else { return false }
        let allTokens = utterance.clauses.flatMap(\.tokens)
        if allTokens.contains(where: \.negatesRemoval) { return true }
        guard allTokens.first?.text == "no" else { return false }
        return statements.allSatisfy { if case .forget(.topic) = $0 { true } else { false } }
    }

    /// Returns whether the statement only repeats that these candidates are to be left out.
    func isRemoval(_ statement: Statement, of ids: [String]) -> Bool {
        switch statement {
        case .forget(.topic): return true
        case .forget(.thing(let mention)):
            let meant = find(mention)
            // "Remove one lamp", of three, is another statement.
            if let fewer = mention.count, let only = meant.first.flatMap(candidate), fewer < only.count { return false }
            return !meant.isEmpty && meant.allSatisfy(ids.contains)
        default: return false
        }
    }
}

extension Interview.Token {
    /// True for "don't", "not", "never mind". "We don't have one" states that it is gone, and negates no removal.
    var negatesRemoval: Bool {
        if `is`(.haveNot) || `is`(.thereIsNot) || `is`(.isNot) || `is`(.itIsNot) { return false }
        if ["not", "nevermind", "cannot", "dont", "keep"].contains(text) || text.split(separator: " ").first == "never" { return true }
        return [text, Interview.EquipmentLexicon.folded(written)].contains { words in
            words.split(separator: " ").contains { $0.hasSuffix("n't") }
        }
    }
}
