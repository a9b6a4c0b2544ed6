import CardeaModel

extension Interview {
    /// A thing that a sentence mentions, as far as the words describe it.
    struct Mention: Hashable, Sendable {
        enum Article: Hashable, Sendable {
            case definite, indefinite, another, none
        }

        var article = Article.none
        var count: Int?
        /// True for more than one, if no number was given.
        var isPlural = false
        /// True if the number applies to each of the rooms.
        var isEach = false
        var function: String?
        /// The noun, in the singular.
        var noun: String?
        var brand: String?
        var model: String?
        /// Adjectives before its name: "old", "small".
        var traits: [String] = []
        /// Every room it is in.
        var rooms: [Interview.MentionedRoom] = []
        /// The place within the room, in the person's words: "over the sofa".
        var place: String?
        /// The kind of room that the furniture there belongs to.
        var placeHint: RoomKind?
        var isOutside = false
        var name: String?
        /// False if it was said not to be connected; nil if nothing was said.
        var isConnected: Bool?
        var isCorrected = false
        /// True if a verb states that it exists: "there is", "we have".
        var isStated = false
        /// The words of the mention, as they were written.
        var words = ""

        var isEmpty: Bool { function == nil && brand == nil && noun == nil }
    }

    /// The meaning of one clause.
    enum Statement: Hashable, Sendable {
        case mention(Mention)
        /// A correction of a number, a brand or a kind: "no, three lamps".
        case correction(Mention)
        case change(Subject, CandidateChange)
        case forget(Subject)
        /// Text to be kept as it was said.
        case note(String, Interview.MentionedRoom?)
        /// Rooms on their own: "kitchen, two bedrooms and a scullery".
        case rooms([Interview.MentionedRoom], count: [Int])
    }

    enum Subject: Hashable, Sendable {
        /// The candidates that were mentioned last.
        case topic
        case thing(Mention)
        case everything
    }

    struct CandidateChange: Hashable, Sendable {
        var brand: String?
        /// The brand that it is not: people deny the old one and name the new one in one sentence.
        var notBrand: String?
        var notFunction: String?
        var function: String?
        var noun: String?
        var model: String?
        var rooms: [Interview.MentionedRoom] = []
        var place: String?
        var placeHint: RoomKind?
        var isOutside = false
        var count: Int?
        var isConnected: Bool?
        var name: String?
        /// True if it is said of "them", not of "it".
        var isOfSeveral = false
        var words = ""

        var isEmpty: Bool {
            brand == nil && notBrand == nil && function == nil && model == nil && rooms.isEmpty && place == nil && count == nil
                && isConnected == nil
                && name == nil
        }
    }
}
