import CardeaModel

extension Interview {
    /// Something a sentence speaks of: a thing, as far as the words tell.
    struct Mention: Hashable, Sendable {
        enum Article: Hashable, Sendable {
            case definite, indefinite, another, none
        }

        var article = Article.none
        var count: Int?
        /// More than one, and nobody said how many.
        var isPlural = false
        /// As many in each of the rooms.
        var isEach = false
        var function: String?
        /// The word for it, in the singular.
        var noun: String?
        var brand: String?
        var model: String?
        /// What else was said of it before its name: "old", "small".
        var traits: [String] = []
        /// Every room it is in.
        var rooms: [Interview.MentionedRoom] = []
        /// Where in the room, in the person's words: "over the sofa".
        var place: String?
        /// The kind of room that the furniture there stands in.
        var placeHint: RoomKind?
        var isOutside = false
        var name: String?
        /// False where it was said not to be connected.
        var isConnected: Bool?
        var isCorrected = false
        /// A verb said that it is there: "there is", "we have".
        var isStated = false
        /// The words it came from, as they were written.
        var words = ""

        var isEmpty: Bool { function == nil && brand == nil && noun == nil }
    }

    /// What one clause says.
    enum Statement: Hashable, Sendable {
        case mention(Mention)
        /// A number or a brand or a kind is put right: "no, three lamps".
        case correction(Mention)
        case change(Subject, CandidateChange)
        case forget(Subject)
        /// To be kept as it was said.
        case note(String, Interview.MentionedRoom?)
        /// Rooms by themselves: "kitchen, two bedrooms and a scullery".
        case rooms([Interview.MentionedRoom], count: [Int])
    }

    enum Subject: Hashable, Sendable {
        /// What was last spoken of.
        case topic
        case thing(Mention)
        case everything
    }

    struct CandidateChange: Hashable, Sendable {
        var brand: String?
        /// What it is not, as people say in the same breath.
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
        /// It is said of "them", not of "it".
        var isOfSeveral = false
        var words = ""

        var isEmpty: Bool {
            brand == nil && notBrand == nil && function == nil && model == nil && rooms.isEmpty && place == nil && count == nil
                && isConnected == nil
                && name == nil
        }
    }
}
