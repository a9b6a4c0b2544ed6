import CardeaModel
import Foundation

/// Puts what the house could not read into words that it can. Nobody, unless whoever runs the house names one; the mind declares this, and
/// whoever puts the house together fills it.
///
/// It is told a sentence and names, and no facts. What it says is read like any other sentence: answered from the house's own record, within
/// what whoever asks may see, and never done.
public protocol Reworder: Sendable {
    /// - Parameters:
    ///   - names: as whoever asks may know them.
    ///   - forms: sentences that the house reads, with places for names.
    /// - Returns: one sentence; nil where there is none, or none in time.
    func reword(_ sentence: String, knowing names: KnownNames, forms: [String]) async -> String?
}

/// Names of a house, as somebody may know them.
public struct KnownNames: Hashable, Sendable {
    public var rooms: [String]
    public var devices: [String]
    public var people: [String]
    public var scenes: [String]

    /// Of each kind; a model that is told more reads none of it well.
    static let limit = 150

    public init(rooms: [String], devices: [String], people: [String], scenes: [String]) {
        self.rooms = rooms
        self.devices = devices
        self.people = people
        self.scenes = scenes
    }

    init(_ house: HouseSnapshot) {
        func names(_ all: [String]) -> [String] { Array(all.prefix(Self.limit)) }
        rooms = names(house.rooms.map(\.name))
        devices = names(house.devices.map(\.name) + house.cameras.map(\.name))
        people = names(house.people.map(\.name) + house.guests.map(\.name))
        scenes = names(house.scenes.map(\.name))
    }
}

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
