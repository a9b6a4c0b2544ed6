import CardeaModel
import Foundation

/// A room that was mentioned: a room of the house, or a proposed one.
public enum RoomReference: Codable, Hashable, Sendable {
    case known(id: String)
    case new(name: String, kind: RoomKind)
}

extension Interview {
    /// A room as the interview stores it.
    public struct KnownRoom: Codable, Hashable, Sendable {
        public let reference: RoomReference
        public let name: String
        public let kind: RoomKind
        /// 0 is the ground floor; nil if unknown.
        public let floor: Int?

        /// The key that identifies the room in sentences.
        var key: String {
            switch reference {
            case .known(let id): "known:\(id)"
            case .new(let name, _): "new:\(EquipmentLexicon.folded(name))"
            }
        }
    }

    /// A place as the person named it.
    struct MentionedRoom: Codable, Hashable, Sendable {
        /// The rooms it may be; one if it is clear.
        var options: [KnownRoom]
        var words: String
    }
}

extension Interview {
    /// Finds the rooms of the house that words refer to.
    struct RoomResolver {
        let equipment: EquipmentLexicon
        let rooms: [Interview.KnownRoom]

        /// - Parameters:
        ///   - modifiers: the words before it: guest, upstairs.
        /// - Returns: the rooms that fit; a new one if no room of the house does.
        func resolve(_ currentToken: Token, modifiers: [Token], isEvery: Bool = false) -> [Interview.KnownRoom] {
            switch currentToken.kind {
            case .means(.houseRoom) where isEvery && allMatching(currentToken, modifiers: modifiers) != nil:
                return allMatching(currentToken, modifiers: modifiers) ?? []
            case .means(.houseRoom(let key)):
                let exact = rooms.filter { $0.key == key }
                // "The guest bedroom" is a different room than "Bedroom", if the house has both.
                return narrowed(exact, by: modifiers) ?? matchingKind(of: currentToken, modifiers: modifiers) ?? exact
            case .means(.room(let index, let isPlural)):
                guard equipment.rooms.indices.contains(index) else { return [] }
                return resolve(equipment.rooms[index], currentToken: currentToken, modifiers: modifiers, isPlural: isPlural || isEvery)
            default: return []
            }
        }

        /// "Every bedroom", if one of them is just called "Bedroom".
        private func allMatching(_ currentToken: Token, modifiers: [Token]) -> [Interview.KnownRoom]? {
            guard case .room(let index, _) = equipment.phrases[currentToken.text], equipment.rooms.indices.contains(index) else {
                return nil
            }
            let all = resolve(equipment.rooms[index], currentToken: currentToken, modifiers: modifiers, isPlural: true)
            return all.isEmpty ? nil : all
        }

        private func matchingKind(of currentToken: Token, modifiers: [Token]) -> [Interview.KnownRoom]? {
            guard case .room(let index, _) = equipment.phrases[currentToken.text], equipment.rooms.indices.contains(index) else {
                return nil
            }
            return resolve(equipment.rooms[index], currentToken: currentToken, modifiers: modifiers, isPlural: false)
        }

        private func resolve(_ words: EquipmentLexicon.RoomTerm, currentToken: Token, modifiers: [Token], isPlural: Bool) -> [Interview
            .KnownRoom]
        {
            let names = words.words.map(EquipmentLexicon.folded)
            var fitting = rooms.filter { room in
                let name = Self.padded(room.name)
                return names.contains { name.contains(" \($0) ") }
            }
            // Any room of its kind will do, unless the word names a special one.
            if fitting.isEmpty, words.own != true, words.kind != .other { fitting = rooms.filter { $0.kind == words.kind } }
            if isPlural {
                let all = rooms.filter { room in
                    fitting.contains(room) || words.own != true && words.kind != .other && room.kind == words.kind
                }
                return narrowed(all, by: modifiers) ?? all
            }
            if let narrow = narrowed(fitting, by: modifiers) { return narrow }
            let telling = modifiers.filter { equipment.distinguishingModifiers.contains($0.text) }
            if telling.isEmpty, !fitting.isEmpty { return fitting }
            let name =
                (telling.isEmpty ? modifiers.filter { if case .means(.floor) = $0.kind { true } else { false } } : telling).map(\.text) + [
                    currentToken.text
                ]
            return [Self.new(named: name.joined(separator: " "), kind: words.kind)]
        }

        /// The rooms that fit the modifiers, or nil if the modifiers do not tell.
        private func narrowed(_ fitting: [Interview.KnownRoom], by modifiers: [Token]) -> [Interview.KnownRoom]? {
            guard !modifiers.isEmpty else { return nil }
            let byName = fitting.filter { room in
                let name = Self.padded(room.name)
                return modifiers.contains { name.contains(" \($0.text) ") || name.contains(" \(Self.withoutApostrophes($0.text)) ") }
            }
            if !byName.isEmpty { return byName }
            for case .means(.floor(let floor)) in modifiers.map(\.kind) {
                let onFloor = fitting.filter { room in floor >= 1 ? (room.floor ?? 0) >= 1 : room.floor == floor }
                if !onFloor.isEmpty { return onFloor }
            }
            return nil
        }

        static func new(named name: String, kind: RoomKind) -> Interview.KnownRoom {
            let name = Name.cleaned(name.prefix(1).uppercased() + name.dropFirst(), else: Interview.phrase(.unnamedRoom))
            return Interview.KnownRoom(reference: .new(name: name, kind: kind), name: name, kind: kind, floor: nil)
        }

        private static func withoutApostrophes(_ text: String) -> String { text.replacingOccurrences(of: "'", with: "") }

        static func padded(_ name: String) -> String {
            " " + EquipmentLexicon.folded(name).split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "'" }).joined(separator: " ")
                + " "
        }
    }
}
