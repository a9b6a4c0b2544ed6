import CardeaModel
import Foundation

/// A sentence that somebody else found for what a person said.
struct RewordedSentence: Hashable, Sendable {
    /// Characters.
    static let maximumLength = 300

    let sentence: String

    /// - Returns: nil for what is no sentence, or the same one again.
    init?(_ text: String, of original: String) {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        let visible = line.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control }
        let sentence = String(String.UnicodeScalarView(visible)).trimmingCharacters(in: .whitespaces.union(["\"", "“", "”", "`"]))
        guard (1...Self.maximumLength).contains(sentence.count),
            Word.tokenize(sentence).map(\.folded) != Word.tokenize(original).map(\.folded)
        else {
            return nil
        }
        self.sentence = sentence
    }

    /// How sure the house is of an answer, at most: it is right of the sentence, which may not be what was meant.
    private static let maximumConfidence = 0.7

    /// What is answered, where the house could read it: a question with its answer, and what it was taken to be; a wish only as a sentence to say
    /// oneself, for nobody's door is moved by another's words.
    func reply(_ reply: Reply, _ lexicon: Lexicon) -> Reply? {
        guard !reply.isUnread else { return nil }
        let quoted = lexicon.answerText(.quoted, [.name: sentence])
        guard reply.suggestions.isEmpty, reply.context?.commands.isEmpty ?? true else {
            var asked = Reply(lexicon.answerText(.saySo, [.words: quoted]), confidence: 0)
            asked.choices = [sentence]
            return asked
        }
        var told = reply
        told.response = lexicon.answerText(.takenAs, [.words: quoted, .rest: reply.response])
        told.confidence = min(reply.confidence, Self.maximumConfidence)
        return told
    }
}
