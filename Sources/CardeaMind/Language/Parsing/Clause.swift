/// A sentence's tokens, sorted for matching against sentence patterns.
struct Clause: Sendable {
    /// The kinds of words in the clause.
    private(set) var tags: Set<Tag> = []
    private(set) var imperativeVerbs: [LexicalCategory.VerbWord] = []
    private(set) var participleVerbs: [LexicalCategory.VerbWord] = []
    private(set) var powerWords: [LexicalCategory.PowerWord] = []
    private(set) var measures: [LexicalCategory.MeasureWord] = []
    private(set) var extremes: [LexicalCategory.ExtremeWord] = []
    private(set) var statistics: [LexicalCategory.StatisticWord] = []
    private(set) var feelings: [LexicalCategory.FeelingWord] = []
    private(set) var dangers: [LexicalCategory.DangerWord] = []
    private(set) var amounts: [(Double, LexicalCategory.UnitWord?)] = []
    private(set) var timeExpressions: [TimeExpression] = []
    private(set) var subject = DeviceReference()
    private(set) var people: [String] = []
    private(set) var scenes: [String] = []
    private(set) var unclear: [[String]] = []
    private(set) var unknown: [Int] = []
    private(set) var kinds: [DeviceCategory] = []
    /// True if a verb that lets people in was read from a misspelt word.
    private(set) var isOpeningGuessed = false
    private(set) var isGuessed = false
    /// True if several of a kind were named: "lamps".
    private(set) var isPlural = false
    /// True for "lock up", which names no object.
    private(set) var isLockingUp = false
    private var isIndefinite = false

    /// Kinds of words, as coarse as the grammar needs them.
    enum Tag: Hashable, Sendable {
        case questionWord(LexicalCategory.QuestionWord)
        case imperative(LexicalCategory.VerbWord)
        case participle(LexicalCategory.VerbWord)
        case power, kind, device, measure, state, extreme, statistic, peak, most, feeling, floor, time, span, amount
        case topic(LexicalCategory.TopicWord)
        case danger
        case functionWord(LexicalCategory.FunctionWord)
        case thing, room, person, guest, scene
        /// A word of time that is not part of any time expression.
        case unparsedTime
    }

    init(_ marks: [SentenceToken]) {
        var isExcept = false
        for mark in marks {
            isGuessed = isGuessed || mark.isGuessed
            switch mark.meaning {
            case .unknown: unknown += mark.range
            case .unclear(let words): unclear.append(words)
            case .time(let pieces):
                self.timeExpressions += pieces
                tags.insert(.time)
            case .amount(let value, let unit):
                amounts.append((value, unit))
                tags.insert(.amount)
            case .named(let referents, _): addReferents(referents, isExcept)
            case .sense(.functionWord(.except)):
                isExcept = true
                tags.insert(.functionWord(.except))
            case .sense(let sense): add(sense, mark, isExcept)
            }
        }
    }

    private mutating func addReferents(_ referents: [Referent], _ isExcept: Bool) {
        var things: [Referent] = []
        for referent in referents {
            switch referent {
            case .device, .entity, .room: things.append(referent)
            case .person(let key):
                people.append(key)
                tags.insert(.person)
            case .guest(let key):
                people.append(key)
                tags.insert(.guest)
            case .scene(let id):
                scenes.append(id)
                tags.insert(.scene)
            // A camera is a thing too, of which only its sightings are known.
            case .camera: things.append(referent)
            }
        }
        let rooms = things.compactMap { if case .room(let id) = $0 { id } else { nil } }
        if !things.isEmpty, rooms.count == things.count {
            // If two rooms have the same name, both are meant.
            if isExcept { subject.exceptRooms += rooms } else { subject.rooms += rooms }
            tags.insert(.room)
        } else if !things.isEmpty {
            if isExcept { subject.exceptNamed.append(things) } else { subject.named.append(things) }
            tags.insert(.thing)
        }
    }

    private mutating func add(_ sense: LexicalCategory, _ mark: SentenceToken, _ isExcept: Bool) {
        switch sense {
        case .filler: break
        // "A door" is any door; "the door" is a certain one.
        case .functionWord(.one): isIndefinite = true
        case .questionWord(let ask): tags.insert(.questionWord(ask))
        case .imperative(let doing):
            imperativeVerbs.append(doing)
            tags.insert(.imperative(doing))
            if mark.isGuessed { isOpeningGuessed = true }
        case .participle(let doing):
            participleVerbs.append(doing)
            tags.insert(.participle(doing))
        case .power(let power):
            powerWords.append(power)
            tags.insert(.power)
        case .singular(let kind), .plural(let kind):
            tags.insert(kind == .device ? .device : .kind)
            guard !isExcept else { return subject.exceptKinds.append(kind) }
            kinds.append(kind)
            // "The hall sensor devices": the more specific kind stays.
            if subject.kind == nil || subject.kind == .device { subject.kind = kind }
            if case .singular = sense { if isIndefinite { subject.isAny = true } else { subject.isOne = true } }
            if case .plural = sense { (subject.isAny, isPlural) = (true, true) }
        case .measure(let measured):
            if measured == .state {
                tags.insert(.state)
            } else {
                measures.append(measured)
                tags.insert(.measure)
            }
        case .extreme(let extreme):
            extremes.append(extreme)
            tags.insert(.extreme)
        case .statistic(.peak): tags.insert(.peak)
        case .statistic(.most): tags.insert(.most)
        case .statistic(let statistic):
            statistics.append(statistic)
            tags.insert(.statistic)
        case .topic(.lockUp):
            imperativeVerbs.append(.lock)
            tags.insert(.imperative(.lock))
            isLockingUp = true
        case .topic(let topic): tags.insert(.topic(topic))
        case .danger(let danger):
            dangers.append(danger)
            tags.insert(.danger)
        case .feeling(let feeling):
            feelings.append(feeling)
            tags.insert(.feeling)
        case .floor(let floor):
            subject.floor = floor == .house ? subject.floor : floor
            tags.insert(.floor)
        case .time(.around): break
        case .time(.this): tags.insert(.functionWord(.it))
        case .time, .weekday, .month: tags.insert(.unparsedTime)
        case .span: tags.insert(.span)
        case .unit(let unit):
            switch unit {
            case .half: amounts.append((50, .percent))
            case .full: amounts.append((100, .percent))
            default: break
            }
            tags.insert(.amount)
        case .functionWord(let joint):
            if [.any, .all, .nothing].contains(joint) { subject.isAny = true }
            tags.insert(.functionWord(joint))
        }
    }

    func has(_ tag: Tag) -> Bool { tags.contains(tag) }
    func hasAny(_ those: Tag...) -> Bool { !tags.isDisjoint(with: those) }

    /// Replaces "it", "them", "there" and "they" by the things and people they refer to.
    mutating func resolvePronouns(to subject: DeviceReference, _ people: [String]) {
        if hasAny(.functionWord(.it), .functionWord(.them)) || (has(.functionWord(.there)) && subject.rooms.isEmpty) {
            self.subject.named += subject.named
            if self.subject.kind == nil { self.subject.kind = subject.kind }
            self.subject.isOne = self.subject.isOne || subject.isOne
            self.subject.isAny = self.subject.isAny || subject.isAny
        }
        if hasAny(.functionWord(.it), .functionWord(.them), .functionWord(.there)), self.subject.rooms.isEmpty, self.subject.floor == nil {
            self.subject.rooms = subject.rooms
            self.subject.floor = subject.floor
        }
        if has(.functionWord(.they)) { self.people += people }
    }
}
