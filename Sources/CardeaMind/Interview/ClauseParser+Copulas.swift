import CardeaModel

/// Parses statements about the identity of a thing: "the lock is an August", "it is not a Yale".
extension Interview.ClauseParser {
    /// Parses a correction: "I meant the hall", "make it three", "call it Sunny".
    func parseCorrection(from start: Int) -> Interview.Statement? {
        guard let first = token(start) else { return nil }
        if first.is(.callIt), let name = namePhrase(from: start + 1) {
            var change = Interview.CandidateChange()
            change.name = name.name
            return .change(.topic, withSourceText(change, from: start, to: tokens.count))
        }
        guard first.is(.meant) else { return nil }
        let change = parseComplement(from: start + 1, isNegated: false)
        return change.isEmpty ? nil : .change(.topic, withSourceText(change, from: start, to: tokens.count))
    }

    func parseCopula(from start: Int, after last: Interview.Mention? = nil) -> [Interview.Statement]? {
        guard let first = token(start) else { return nil }
        var subjects = [Interview.Subject.topic]
        var index = start
        var isNegated = false
        if first.is(.itIs) || first.is(.who) && equipment.matches(first.text, is: "itIs") {
            index += 1
        } else if first.is(.itIsNot) {
            isNegated = true
            index += 1
        } else if first.is(.not), first.text == "not", let next = token(start + 1),
            next.is(.indefinite) || next.brand != nil || next.isRoom || next.is(.definite) || next.is(.in)
        {
            // "Not a Yale, an August" is read as if "it's" came before it.
            isNegated = true
            index += 1
        } else {
            if first.is(.it) || first.is(.allOf) || equipment.matches(first.text, is: "none") {
                index += 1
                if equipment.matches(first.text, is: "none") { isNegated = true }
            } else if ["those", "these"].contains(first.text), token(start + 1).map({ $0.is(.is) || $0.is(.isNot) }) == true {
                // "Those are Hue lights."
                index += 1
            } else if first.is(.definite), token(start + 1)?.text == "one" {
                index += 2
                // "The lamp over the table is a Hue, the one over the sofa is a Lifx."
                var other = Interview.Mention()
                let from = index
                (other.article, other.function, other.noun) = (.definite, last?.function, last?.noun)
                index = parsePostmodifiers(&other, from: from, untilVerb: true)
                if index > from, other.function != nil { subjects = [.thing(other)] }
            } else if first.is(.definite), let (rooms, next) = roomPhrase(at: start), token(next)?.text == "one", let last {
                // "…, the bedroom one is a Tado."
                var other = Interview.Mention()
                (other.article, other.function, other.noun, other.rooms) = (.definite, last.function, last.noun, rooms)
                subjects = [.thing(other)]
                index = next + 1
            } else if let (mention, next) = parseMention(at: start, untilVerb: true), mention.article != .indefinite,
                mention.article != .another
            {
                subjects = [.thing(mention)]
                index = next
                // "The kitchen light and the hall light are Hue."
                while token(index)?.is(.and) == true, let (other, next) = self.parseMention(at: index + 1, untilVerb: true),
                    other.article != .indefinite
                {
                    subjects.append(.thing(other))
                    index = next
                }
            } else {
                return nil
            }
            guard let verb = token(index) else { return nil }
            if verb.is(.is) {
                index += 1
            } else if verb.is(.isNot) {
                isNegated = true
                index += 1
            } else if verb.is(.unconnected) || verb.is(.called) || isNegated && verb.is(.connected) {
                // "The fan isn't connected" is one statement.
            } else if verb.is(.not), ["not", "never"].contains(verb.text) {
                isNegated = true
                index += 1
            } else {
                return nil
            }
        }
        let end = nextSubject(from: index)
        let change = parseComplement(from: index, to: end, isNegated: isNegated)
        guard !change.isEmpty else { return nil }
        var told = withSourceText(change, from: start, to: end)
        told.isOfSeveral = Self.isPluralPronoun(first.text)
        let about = subjects.lazy.compactMap { if case .thing(let mention) = $0 { mention } else { nil } }.first
        let rest = end < tokens.count ? parseCopula(from: end + 1, after: about) ?? [] : []
        return subjects.map { .change($0, told) } + rest
    }

    /// Returns whether the words are a plural pronoun: "they", "those", "both of them".
    private static func isPluralPronoun(_ words: String) -> Bool {
        words.hasPrefix("they") || words.hasPrefix("both") || words.hasPrefix("all ") || ["them", "those", "these"].contains(words)
            || words.hasPrefix("those ") || words.hasPrefix("these ")
    }

    /// The index at which "…, the one over the sofa is …" begins, or the end.
    func nextSubject(from start: Int) -> Int {
        for index in tokens.indices.dropFirst(start) where tokens[index].kind == .comma || tokens[index].is(.and) {
            guard token(index + 1)?.is(.definite) == true,
                tokens.dropFirst(index + 2).prefix(7).contains(where: { $0.is(.is) || $0.is(.isNot) })
            else { continue }
            return index
        }
        return tokens.count
    }

    func withSourceText(_ change: Interview.CandidateChange, from start: Int, to end: Int) -> Interview.CandidateChange {
        var change = change
        change.words = sourceText(from: start, to: end)
        return change
    }

    /// Parses the words after "is": a brand, a kind, a room, a number, a name, or any of these negated.
    func parseComplement(from start: Int, to end: Int? = nil, isNegated: Bool) -> Interview.CandidateChange {
        var change = Interview.CandidateChange()
        var index = start
        var isNegated = isNegated
        while let currentToken = token(index), index < end ?? tokens.count {
            if currentToken.is(.itIs) || currentToken.is(.it) || currentToken.is(.meant) {
                isNegated = false
                index += 1
            } else if currentToken.is(.not) || currentToken.is(.isNot) || currentToken.is(.itIsNot) {
                isNegated = true
                index += 1
            } else if currentToken.kind == .comma || currentToken.is(.and) {
                // "Not a Yale, an August": the negation ends at the comma.
                if change.notBrand != nil || change.notFunction != nil || isNegated && index > start { isNegated = false }
                index += 1
            } else if currentToken.is(.unconnected) {
                change.isConnected = false
                index += 1
            } else if currentToken.is(.connected) {
                change.isConnected = !isNegated
                index = skipConnectionPhrase(from: index + 1)
            } else if currentToken.is(.called), let (name, next) = namePhrase(from: index + 1) {
                if !isNegated { change.name = name }
                index = next
            } else if let next = skipRadioPhrase(from: index) {
                index = next
            } else if let (rooms, next) = roomPhrase(at: index) {
                if !isNegated { change.rooms += rooms }
                index = next
                isNegated = false
            } else if let (mention, next) = parseMention(at: index, isBare: true) {
                merge(mention, into: &change, isNegated: isNegated)
                index = max(next, index + 1)
                isNegated = false
            } else if let (place, hint, outside, next) = placePhrase(at: index) {
                if !isNegated { (change.place, change.placeHint, change.isOutside) = (place, hint, outside) }
                index = next
            } else if let number = currentToken.number, !isNegated {
                change.count = number
                index += 1
            } else {
                if case .model(let model) = currentToken.kind { change.model = model }
                index += 1
            }
        }
        return change
    }

    /// "Over zigbee": a radio is not a place.
    func skipRadioPhrase(from start: Int) -> Int? {
        guard let way = token(start), equipment.matches(way.text, is: "way") || way.text == "on", let radio = token(start + 1),
            equipment.matches(radio.text, is: "radio")
        else { return nil }
        return start + 2
    }

    /// "Connected through the Ikea hub": the connection says nothing about the thing itself.
    private func skipConnectionPhrase(from start: Int) -> Int {
        guard let way = token(start), equipment.matches(way.text, is: "way") else { return start }
        return tokens.indices.dropFirst(start).first { tokens[$0].kind == .comma || tokens[$0].is(.and) || tokens[$0].is(.but) }
            ?? tokens.count
    }

    func merge(_ mention: Interview.Mention, into change: inout Interview.CandidateChange, isNegated: Bool) {
        if isNegated {
            change.notBrand = mention.brand ?? change.notBrand
            if mention.noun != nil { change.notFunction = mention.function ?? change.notFunction }
            return
        }
        change.brand = mention.brand ?? change.brand
        change.model = mention.model ?? change.model
        // A function that is only guessed from the brand is not a statement of what it is.
        if let noun = mention.noun, let function = mention.function { (change.noun, change.function) = (noun, function) }
        change.count = mention.count ?? change.count
        change.rooms += mention.rooms
        change.place = mention.place ?? change.place
        change.placeHint = mention.placeHint ?? change.placeHint
        change.name = mention.name ?? change.name
        change.isConnected = mention.isConnected ?? change.isConnected
    }
}
