extension Interview {
    /// Finds the known word nearest to a misspelt one.
    struct SpellChecker: Sendable {
        private let known: Set<String>
        /// Grouped by first letter, in order, so that the result is always the same.
        private let wordsByInitial: [UInt32: [[UInt32]]]
        private static let maximumLength = 24

        init(words: Set<String>) {
            known = words
            var shelves: [UInt32: [[UInt32]]] = [:]
            for word in words.sorted() {
                let letters = word.unicodeScalars.map(\.value)
                if (3...Self.maximumLength).contains(letters.count) { shelves[letters[0], default: []].append(letters) }
            }
            self.wordsByInitial = shelves
        }

        func knows(_ word: String) -> Bool { known.contains(word) }

        /// The known word that was most likely meant, or nil if none is near enough.
        ///
        /// The first letter is nearly always right, unless the first two are swapped. A word of three or four letters is too near to too
        /// many others, so there only a swap counts.
        func nearest(to word: String) -> String? {
            guard !known.contains(word) else { return word }
            let letters = word.unicodeScalars.prefix(Self.maximumLength + 1).map(\.value)
            guard (3...Self.maximumLength).contains(letters.count), word.allSatisfy(\.isLetter) else { return nil }
            var best: (word: [UInt32], distance: Int)?
            for first in [letters[0], letters[1]] {
                for candidate in wordsByInitial[first] ?? [] {
                    let short = min(candidate.count, letters.count)
                    let bound = min(short >= 8 ? 2 : 1, (best?.distance ?? .max) - 1)
                    guard bound > 0, let distance = EditDistance.distance(letters, candidate, limit: bound) else { continue }
                    guard first == letters[0] || candidate[1] == letters[0] else { continue }
                    if short < 5, !Self.isSwap(letters, candidate) { continue }
                    best = (candidate, distance)
                }
            }
            return best.map { String(String.UnicodeScalarView($0.word.compactMap(Unicode.Scalar.init))) }
        }

        private static func isSwap(_ one: [UInt32], _ other: [UInt32]) -> Bool {
            one.count == other.count && one.sorted() == other.sorted()
        }
    }
}
