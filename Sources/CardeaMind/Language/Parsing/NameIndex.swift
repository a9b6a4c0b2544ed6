import CardeaModel

/// The names of one house, as far as the requester may know them. A name is only ever looked up here, whatever it says.
struct NameIndex: Sendable {
    private var exactNames: [[String]: [Referent]] = [:]
    /// Parts of names that occur in no other name: "Ada" of Ada Lovelace, "ceiling" of the ceiling light.
    private var partialNames: [[String]: [Referent]] = [:]
    /// Names with words joined or split: "backdoor", "bed room".
    private var joinedNames: [String: [Referent]] = [:]
    /// Cameras, by their names and by parts of them, as far as no other name and no word of the language claims them. A camera mostly has
    /// the name of the place it watches.
    private var cameras: [[String]: [Referent]] = [:]
    private(set) var vocabulary: Set<String> = []
    private(set) var spellings: [Int: [WordLetters]] = [:]
    private(set) var longest = 1
    /// The ids of devices that report smoke, gas or water.
    private var alarmDevices: Set<String> = []

    init(_ house: HouseSnapshot, lexicon: Lexicon) {
        for room in house.rooms { add(room.name, .room(room.id)) }
        for device in house.devices {
            add(device.name, .device(device.id))
            for entity in device.entities
            where entity.isEnabled && device.entities.count > 1 && Self.words(entity.name) != Self.words(device.name) {
                // "Power" and "battery" are measurements, not names of things.
                guard Self.words(entity.name).count > 1 else { continue }
                add(entity.name, .entity(device: device.id, entity: entity.id))
            }
        }
        alarmDevices = Set(house.devices.filter { $0.entities.contains { Danger($0) != nil } }.map(\.id))
        for person in house.people { add(person.name, .person(person.key)) }
        for guest in house.guests { add(guest.name, .guest(guest.key)) }
        for scene in house.scenes { add(scene.name, .scene(scene.id)) }
        for camera in house.cameras { add(camera) }
        addParts(house, lexicon)
        spellings = WordLetters.byLength(vocabulary)
    }

    /// The referents of exactly these words; empty if they are ordinary words of the language that are also a name.
    func exactMatches(_ words: [String], lexicon: Lexicon) -> [Referent] {
        if let found = exactNames[words] {
            // A lamp called "Who" must not change the meaning of a question.
            if Self.isSentence(words, lexicon) { return [] }
            return found
        }
        if words.count <= 3, let found = joinedNames[words.joined()] { return found }
        return []
    }

    func partialMatches(_ words: [String]) -> [Referent] { partialNames[words] ?? [] }

    /// A camera called "Who is home" must not change the meaning of a question.
    func cameras(_ words: [String], lexicon: Lexicon) -> [Referent] { Self.isSentence(words, lexicon) ? [] : cameras[words] ?? [] }

    func isAlarm(_ referent: Referent) -> Bool {
        switch referent {
        case .device(let id), .entity(let id, _): alarmDevices.contains(id)
        case .room, .person, .guest, .scene, .camera: false
        }
    }

    private mutating func add(_ camera: NamedCamera) {
        let words = Self.words(camera.name)
        guard !words.isEmpty else { return }
        cameras[words, default: []].append(.camera(camera.id))
        vocabulary.formUnion(words)
        longest = max(longest, words.count)
    }

    private mutating func add(_ name: String, _ referent: Referent) {
        let words = Self.words(name)
        guard !words.isEmpty else { return }
        exactNames[words, default: []].append(referent)
        if words.count <= 3, words.joined().count > 4 { joinedNames[words.joined(), default: []].append(referent) }
        vocabulary.formUnion(words)
        longest = max(longest, words.count)
    }

    private mutating func addParts(_ house: HouseSnapshot, _ lexicon: Lexicon) {
        let roomWords = Set(house.rooms.flatMap { Self.words($0.name) })
        func isDistinguishing(_ word: String) -> Bool {
            word.count > 2 && lexicon.categories[[word]].map(\.isDanger) ?? true && lexicon.numbers[word] == nil
        }
        func add(_ name: String, _ referent: Referent, isDistinguishing: (String) -> Bool) {
            let words = Self.words(name)
            // A name that is a whole sentence is matched as a whole, or not at all.
            guard (2...4).contains(words.count) else { return }
            for start in words.indices {
                for end in start..<words.count where end - start + 1 < words.count {
                    let part = Array(words[start...end])
                    guard part.contains(where: isDistinguishing), exactNames[part] == nil, partialNames[part]?.contains(referent) != true
                    else {
                        continue
                    }
                    partialNames[part, default: []].append(referent)
                }
            }
        }
        for room in house.rooms { add(room.name, .room(room.id), isDistinguishing: isDistinguishing) }
        for device in house.devices { add(device.name, .device(device.id)) { isDistinguishing($0) && !roomWords.contains($0) } }
        for person in house.people { add(person.name, .person(person.key), isDistinguishing: isDistinguishing) }
        for guest in house.guests { add(guest.name, .guest(guest.key), isDistinguishing: isDistinguishing) }
    }

    static func words(_ name: String) -> [String] { Word.tokenize(name).map(\.folded) }

    /// Returns whether a name consists only of words that sentences are made of: "Who", "Off", "Who is home".
    private static func isSentence(_ words: [String], _ lexicon: Lexicon) -> Bool {
        guard words.allSatisfy({ isStructure(lexicon.categories[[$0]]) }) else { return false }
        if words.count == 1 {
            if case .topic? = lexicon.categories[words] { return false }
            return true
        }
        switch words.first.flatMap({ lexicon.categories[[$0]] }) {
        case .questionWord, .imperative: return true
        default: return false
        }
    }

    private static func isStructure(_ sense: LexicalCategory?) -> Bool {
        switch sense {
        case .questionWord, .imperative, .participle, .power, .functionWord, .filler, .unit: true
        case .time, .topic: true
        default: false
        }
    }
}
