import CardeaModel
import Foundation

/// A sentence that a `Reworder` proposed for one that could not be read.
struct RewordedSentence: Hashable, Sendable {
    /// Characters.
    static let maximumLength = 300

    let sentence: String

    /// - Returns: nil if the text is no sentence, or the same one again.
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

    /// The highest confidence of such an answer: it is right for the reworded sentence, which may not be what the person meant.
    private static let maximumConfidence = 0.7

    /// The reply to the reworded sentence; nil if that could not be read either. A question is answered, with the sentence that it was read
    /// as. A command is only offered as a sentence for the person to say, because nothing moves on words of another's choosing.
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
