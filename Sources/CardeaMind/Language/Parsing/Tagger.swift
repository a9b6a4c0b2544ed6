import CardeaModel

extension LexicalCategory {
    var isDanger: Bool { if case .danger = self { true } else { false } }
}

/// Covers a sentence with the fewest and most certain tokens. Names of the house take precedence over words of the language.
struct Tagger: Sendable {
    let lexicon: Lexicon
    let names: NameIndex
    /// True if "smoke" is read as a danger that alarms report, and not as part of a name.
    var readsDangers = true
    /// The unit that the requester means by "degrees".
    var temperatureUnit = TemperatureUnit.celsius

    func tokens(_ words: [Word]) -> [SentenceToken] {
        let readings = words.map { alternatives($0.folded) }
        let spelled = words.map(\.folded)
        let plain = zip(readings, spelled).map { $0.0.first ?? $0.1 }
        // From the end: the cheapest way to cover the rest.
        var best = [(cost: Double, mark: SentenceToken?)](repeating: (0, nil), count: words.count + 1)
        for start in words.indices.reversed() {
            var cheapest: (cost: Double, mark: SentenceToken)?
            for (cost, mark) in candidates(plain, readings, spelled, at: start) {
                let whole = cost + best[mark.range.upperBound].cost
                if cheapest.map({ whole < $0.cost - 1e-9 }) ?? true { cheapest = (whole, mark) }
            }
            best[start] = (cheapest?.cost ?? 0, cheapest?.mark)
        }
        var marks: [SentenceToken] = []
        var place = 0
        while place < words.count, let mark = best[place].mark {
            marks.append(mark)
            place = mark.range.upperBound
        }
        return marks
    }

    /// The words that may have been meant, the likeliest first; the word itself if it is known.
    private func alternatives(_ word: String) -> [String] {
        guard !names.vocabulary.contains(word), !lexicon.vocabulary.contains(word), !word.contains(where: \.isNumber) else { return [word] }
        let typed = WordLetters(word)
        guard typed.letters.count < 25 else { return [word] }
        var nearest: (distance: Int, words: [String]) = (3, [])
        for vocabulary in [names.spellings, lexicon.spellings] {
            var here: (distance: Int, words: [String]) = (nearest.distance, [])
            for length in 4...max(typed.letters.count + 2, 4) where length + 2 >= typed.letters.count {
                for known in vocabulary[length] ?? [] {
                    guard let distance = EditDistance.typoDistance(typed, for: known), distance <= here.distance else { continue }
                    here = distance < here.distance ? (distance, [known.text]) : (distance, here.words + [known.text])
                }
            }
            // If a name of the house and a word of the language are equally near, the name wins.
            if !here.words.isEmpty, here.distance < nearest.distance { nearest = here }
        }
        return nearest.words.isEmpty ? [word] : nearest.words.sorted()
    }

    private func candidates(_ plain: [String], _ readings: [[String]], _ spelled: [String], at start: Int) -> [(Double, SentenceToken)] {
        var options: [(Double, SentenceToken)] = []
        let longest = min(max(lexicon.longestPhrase, names.longest + 1), plain.count - start)
        for length in 1...max(longest, 1) where start + length <= plain.count {
            let range = start..<start + length
            let isGuessed = range.contains { plain[$0] != spelled[$0] }
            let slip = isGuessed ? 0.6 : 0
            var seen: [SentenceToken.Meaning: [String]] = [:]
            for words in spellings(readings, range) {
                if let (cost, meaning) = meaning(words) {
                    options.append((cost + slip, SentenceToken(range: range, meaning: meaning, isGuessed: isGuessed)))
                    seen[meaning, default: []].append(words.joined(separator: " "))
                }
            }
            // A misspelling with two different meanings: the house asks instead of guessing.
            if length == 1, seen.count > 1, !Self.isSameThing(Array(seen.keys)) {
                options.removeAll { $0.1.range == range }
                options.append((1, SentenceToken(range: range, meaning: .unclear(seen.values.joined().sorted()), isGuessed: true)))
            }
        }
        for found in TimeExpressionParser(lexicon: lexicon).matches(plain, at: start) {
            let range = start..<start + found.length
            let isGuessed = range.contains { plain[$0] != spelled[$0] }
            options.append(
                (0.2 + (isGuessed ? 0.6 : 0), SentenceToken(range: range, meaning: .time(found.expressions), isGuessed: isGuessed)))
        }
        options += amounts(plain, at: start)
        options.append((5, SentenceToken(range: start..<start + 1, meaning: .unknown, isGuessed: false)))
        return options
    }

    private func meaning(_ words: [String]) -> (Double, SentenceToken.Meaning)? {
        for (spelling, cost) in [(words, 0.07), (Self.singular(words), 0.075)] {
            let named = names.exactMatches(spelling, lexicon: lexicon)
            if !named.isEmpty, cost == 0.07 || spelling != words { return (cost, .named(named, isWhole: true)) }
        }
        if let sense = lexicon.categories[words], readsDangers || !sense.isDanger {
            return (Self.cost(of: sense, words.count), .sense(sense))
        }
        for spelling in [words, Self.singular(words)] {
            let partly = names.partialMatches(spelling)
            if !partly.isEmpty { return (0.5, .named(partly, isWhole: false)) }
        }
        let cameras = names.cameras(words, lexicon: lexicon)
        if !cameras.isEmpty { return (0.5, .named(cameras, isWhole: true)) }
        return nil
    }

    /// All ways to read a range; only the likeliest if more than two of its words are ambiguous.
    private func spellings(_ readings: [[String]], _ range: Range<Int>) -> [[String]] {
        guard range.count(where: { readings[$0].count > 1 }) <= 2 else { return [range.map { readings[$0].first ?? "" }] }
        return range.reduce([[]]) { ways, place in ways.flatMap { way in readings[place].prefix(4).map { way + [$0] } } }
    }

    private func amounts(_ words: [String], at start: Int) -> [(Double, SentenceToken)] {
        guard let number = Self.number(words[start]) ?? lexicon.numbers[words[start]] else { return [] }
        var options = [(0.35, SentenceToken(range: start..<start + 1, meaning: .amount(number, nil), isGuessed: false))]
        for length in 1...3 where start + 1 + length <= words.count {
            guard case .unit(let unit)? = lexicon.categories[Array(words[start + 1..<start + 1 + length])] else { continue }
            let meant: LexicalCategory.UnitWord = unit == .degrees && temperatureUnit == .fahrenheit ? .fahrenheit : unit
            options.append((0.15, SentenceToken(range: start..<start + 1 + length, meaning: .amount(number, meant), isGuessed: false)))
        }
        return options
    }

    /// The cost of a token: a phrase costs less than a word, small words cost next to nothing, and words of time are left to the time
    /// parser.
    private static func cost(of sense: LexicalCategory, _ count: Int) -> Double {
        switch sense {
        case .filler: 0.05 * Double(count)
        case .time, .span, .weekday, .month: 0.3
        default: count > 1 ? 0.08 : 0.3
        }
    }

    private static func number(_ word: String) -> Double? {
        guard word.first?.isASCIIDigit == true, word.count < 8, let number = Double(word), number.isFinite else { return nil }
        return number
    }

    private static func singular(_ words: [String]) -> [String] {
        guard let last = words.last, last.count > 3, last.hasSuffix("s") else { return words }
        return words.dropLast() + [String(last.dropLast())]
    }

    /// True for "light" and "lights", and for two forms of one verb, which need no question back.
    private static func isSameThing(_ meanings: [SentenceToken.Meaning]) -> Bool {
        let plain = Set(
            meanings.map { meaning -> SentenceToken.Meaning in
                switch meaning {
                case .sense(.plural(let kind)): .sense(.singular(kind))
                case .sense(.imperative(let doing)): .sense(.participle(doing))
                default: meaning
                }
            })
        return plain.count == 1
    }
}
