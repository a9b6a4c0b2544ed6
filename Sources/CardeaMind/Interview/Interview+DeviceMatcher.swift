import CardeaModel
import Foundation

extension Interview {
    /// Finds the discovered devices that a person mentions.
    struct DeviceMatcher {
        let equipment: EquipmentLexicon
        let devices: [DiscoveredDevice]
        let rooms: [Interview.KnownRoom]

        /// A lower score means that the two have too little in common to be the same.
        static let threshold = 3.0
        /// Scores this close count as equal: the interview asks instead of guessing.
        static let tieMargin = 0.75

        struct Result {
            var matched: [String: [String]] = [:]
            var options: [String: [String]] = [:]
        }

        /// Finds the best assignment for all candidates together. Devices that could as well be assigned otherwise are left as options.
        func match(_ candidates: [Interview.Candidate]) -> Result {
            var result = Result()
            var taken: Set<String> = []
            for candidate in candidates where candidate.isActive {
                result.matched[candidate.id] = candidate.chosen
                taken.formUnion(candidate.chosen)
            }
            let free = devices.filter { !taken.contains($0.id) }
            var edges: [(candidate: Interview.Candidate, open: Int, scores: [Double?])] = []
            for candidate in candidates where candidate.isActive && !candidate.isConnectionSettled {
                let open = candidate.count - candidate.chosen.count
                guard open > 0 else { continue }
                let scores = free.map { candidate.refused.contains($0.id) ? nil : score(candidate, $0) }
                if scores.contains(where: { $0 != nil }) { edges.append((candidate, open, scores)) }
            }
            for part in Self.connectedComponents(edges.map(\.scores)) {
                let columns = free.indices.filter { column in part.contains { edges[$0].scores[column] != nil } }
                solve(part.map { edges[$0] }, columns: columns, free: free, into: &result)
            }
            return result
        }

        /// Solves one group of candidates that compete for the same devices.
        private func solve(
            _ group: [(candidate: Interview.Candidate, open: Int, scores: [Double?])], columns: [Int], free: [DiscoveredDevice],
            into result: inout Result
        ) {
            var owners: [Int] = []
            for (index, entry) in group.enumerated() { owners += [Int](repeating: index, count: min(entry.open, columns.count)) }
            let scores = owners.map { owner in columns.map { group[owner].scores[$0] } }
            let best = HungarianAssignment.best(scores)
            var given = group.map { _ in Set<Int>() }
            for (slot, column) in best.columns.enumerated() { if let column { given[owners[slot]].insert(column) } }
            // The proof by exhaustion is expensive. In a large group, close scores are used instead.
            let isSmall = owners.count * columns.count <= 120
            for (index, entry) in group.enumerated() {
                var sure: [Int] = []
                var options: Set<Int> = []
                for column in columns.indices where scores[owners.firstIndex(of: index) ?? 0][column] != nil {
                    let isGiven = given[index].contains(column)
                    var other = scores
                    if isGiven {
                        for slot in owners.indices where owners[slot] == index { other[slot][column] = nil }
                    } else {
                        guard let slot = owners.firstIndex(of: index), let worth = scores[slot][column] else { continue }
                        for row in other.indices { other[row][column] = nil }
                        other[slot] = other[slot].map { _ in nil }
                        other[slot][column] = worth
                    }
                    let isClose: Bool
                    if isSmall {
                        isClose = HungarianAssignment.best(other).total >= best.total - Self.tieMargin
                    } else {
                        let worth = entry.scores[columns[column]] ?? 0
                        let rivals = columns.indices.filter { given[index].contains($0) != isGiven }.compactMap {
                            entry.scores[columns[$0]]
                        }
                        isClose = rivals.contains { abs($0 - worth) < Self.tieMargin }
                    }
                    if isGiven, !isClose { sure.append(column) } else if isClose { options.insert(column) }
                }
                let id = entry.candidate.id
                result.matched[id, default: []] += sure.sorted().map { free[columns[$0]].id }
                if sure.count < given[index].count {
                    // An alternative that prevents certainty is itself an option.
                    options.formUnion(given[index].subtracting(sure))
                    result.options[id] = options.sorted().map { free[columns[$0]].id }
                }
            }
        }

        /// Groups of candidates that compete for the same devices. Unrelated candidates are not compared.
        private static func connectedComponents(_ scores: [[Double?]]) -> [[Int]] {
            var parts: [[Int]] = []
            var seen: Set<Int> = []
            for start in scores.indices where !seen.contains(start) {
                var part: [Int] = []
                var waiting = [start]
                seen.insert(start)
                while let row = waiting.popLast() {
                    part.append(row)
                    for other in scores.indices where !seen.contains(other) {
                        let shares = zip(scores[row], scores[other]).contains { $0 != nil && $1 != nil }
                        if shares {
                            seen.insert(other)
                            waiting.append(other)
                        }
                    }
                }
                parts.append(part.sorted())
            }
            return parts
        }

        /// A score of how much a candidate and a discovered device have in common; nil if they cannot be the same.
        func score(_ candidate: Interview.Candidate, _ thing: DiscoveredDevice) -> Double? {
            var score = 0.0
            let told = Self.wordSet(thing.descriptiveText)
            let functions = functionsInName(by: thing)
            if let function = candidate.function.flatMap({ equipment.functions[$0] }) {
                if functions.contains(function.id) {
                    score += 2.5
                } else if !functions.isEmpty, !Self.isBroad(functions), function.id != "sensor" {
                    return nil
                }
                switch (function.kind, thing.kind) {
                case let (said?, found?) where said == found: score += 2
                // A plug may be announced as the lamp in it.
                case (.switch, .light), (.light, .switch): score -= 0.5
                // Things without a kind of their own show up as a switch or a sensor.
                case (nil, .sensor), (nil, .binarySensor), (nil, .switch), (_, nil): break
                case (.sensor, .binarySensor), (.binarySensor, .sensor): score -= 0.5
                default: return nil
                }
            }
            if let brand = candidate.brand {
                let said = Self.brandNames(of: brand, equipment)
                if let found = thing.brand {
                    let found = EquipmentLexicon.folded(found)
                    guard said.contains(where: { found == $0 || found.hasPrefix($0 + " ") || $0.hasPrefix(found + " ") }) else {
                        return nil
                    }
                    score += 3
                } else if said.contains(where: { told.contains($0) || EquipmentLexicon.folded(thing.name).contains($0) && $0.count >= 4 }) {
                    score += 2.5
                } else {
                    // A device that does not announce its brand does not match a brand by its kind alone.
                    score -= 2
                }
            }
            if let model = candidate.model, told.isSuperset(of: Self.wordSet(model)) { score += 2 }
            score += roomScore(candidate, thing)
            score += min(Double(told.intersection(descriptiveWords(candidate)).count) * 0.8, 2.4)
            return score >= Self.threshold ? score : nil
        }

        private func roomScore(_ candidate: Interview.Candidate, _ thing: DiscoveredDevice) -> Double {
            guard let found = thing.room, let room = self.room(found) else { return nameRoomScore(candidate, thing) }
            if let said = candidate.room { return said.key == room.key ? 2 : (candidate.isRoomInferred ? -1 : -4) }
            if !candidate.roomOptions.isEmpty { return candidate.roomOptions.contains { $0.key == room.key } ? 1 : -4 }
            return 0
        }

        /// The score for a room in the device's name: a "Hall light" without a room is not in the attic.
        private func nameRoomScore(_ candidate: Interview.Candidate, _ thing: DiscoveredDevice) -> Double {
            let said = candidate.room.map { [$0] } ?? candidate.roomOptions
            let told = roomsInName(by: thing)
            guard !said.isEmpty, !told.isEmpty else { return 0 }
            let fits = said.contains { room in
                let name = Self.wordSet(room.name)
                return told.contains { words in
                    words.own != true && words.kind != .other && words.kind == room.kind
                        || words.words.contains { !Self.wordSet($0).isDisjoint(with: name) }
                }
            }
            return fits ? 1 : candidate.isRoomInferred ? -1 : -4
        }

        private func roomsInName(by thing: DiscoveredDevice) -> [EquipmentLexicon.RoomTerm] {
            meanings(of: thing).compactMap { meaning in
                if case .room(let index, _) = meaning, equipment.rooms.indices.contains(index) { equipment.rooms[index] } else { nil }
            }
        }

        func room(_ text: String) -> Interview.KnownRoom? {
            let name = EquipmentLexicon.folded(text)
            return rooms.first { $0.reference == .known(id: text) } ?? rooms.first { EquipmentLexicon.folded($0.name) == name }
        }

        /// The purposes that the device's own name mentions.
        func functionsInName(by thing: DiscoveredDevice) -> Set<String> {
            Set(
                meanings(of: thing).compactMap { meaning in
                    switch meaning {
                    case .function(let id, _), .product(let id, _, _): id
                    default: nil
                    }
                })
        }

        /// The meanings of the words that describe the device, as far as the lexicon knows them.
        private func meanings(of thing: DiscoveredDevice) -> [EquipmentLexicon.Meaning] {
            let words = EquipmentLexicon.folded(thing.descriptiveText).split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "-" })
                .map(String.init)
            var meanings: [EquipmentLexicon.Meaning] = []
            var index = 0
            while index < words.count {
                guard let (meaning, length) = equipment.longestMatch(words, from: index, own: [:]) else {
                    index += 1
                    continue
                }
                meanings.append(meaning)
                index += max(length, 1)
            }
            return meanings
        }

        /// True if the functions in a name do not tell what it is: several of them ("plug" and "lamp"), or a general one such as "sensor".
        private static func isBroad(_ functions: Set<String>) -> Bool {
            functions.count > 1 || !functions.isDisjoint(with: ["sensor", "switch", "button", "hub", "battery", "plug"])
        }

        private func descriptiveWords(_ candidate: Interview.Candidate) -> Set<String> {
            let said = [candidate.noun, candidate.place, candidate.givenName].compactMap(\.self) + candidate.traits
            return Self.wordSet(said.joined(separator: " ")).subtracting([
                "the", "a", "an", "in", "at", "on", "by", "of", "to", "over", "next", "our", "my",
            ])
        }

        static func wordSet(_ text: String) -> Set<String> {
            Set(EquipmentLexicon.folded(text).split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map(String.init))
        }

        private static func brandNames(of brand: String, _ equipment: EquipmentLexicon) -> [String] {
            ([brand] + (equipment.brands[brand]?.aliases ?? [])).map(EquipmentLexicon.folded)
        }
    }
}

extension DiscoveredDevice {
    /// All texts that the device announces.
    fileprivate var descriptiveText: String { [name, model, category].compactMap(\.self).joined(separator: " ") }
}
