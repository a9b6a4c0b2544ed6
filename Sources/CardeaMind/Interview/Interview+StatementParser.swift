import CardeaModel
import Foundation

extension Interview {
    /// Parses the statements of a clause about things and rooms. It does not know the conversation, so it does not resolve "it".
    struct StatementParser {
        let equipment: EquipmentLexicon
        let roomResolver: RoomResolver
        let utterance: Utterance

        init(_ utterance: Utterance, equipment: EquipmentLexicon, rooms: [Interview.KnownRoom]) {
            self.utterance = utterance
            self.equipment = equipment
            roomResolver = RoomResolver(equipment: equipment, rooms: rooms)
        }

        func statements() -> [Statement] {
            var all: [Statement] = []
            // "In the kitchen there's a fridge. There's also an oven." goes on in the kitchen.
            var leading: [Interview.MentionedRoom] = []
            for clause in utterance.clauses where !clause.isQuestion {
                var clause = ClauseParser(reader: self, allTokens: clause.tokens, leading: leading)
                all += clause.parse()
                leading = clause.leadingRooms
            }
            return all
        }
    }

    /// Parses one clause from left to right.
    struct ClauseParser {
        let parser: StatementParser
        let tokens: [Token]
        /// The rooms named before the things: "in the kitchen we have…".
        var leadingRooms: [Interview.MentionedRoom]
        var isCorrection = false

        var equipment: EquipmentLexicon { parser.equipment }

        init(reader: StatementParser, allTokens: [Token], leading: [Interview.MentionedRoom]) {
            self.parser = reader
            self.tokens = allTokens
            self.leadingRooms = leading
        }

        func token(_ index: Int) -> Token? { tokens.indices.contains(index) ? tokens[index] : nil }

        mutating func parse() -> [Statement] {
            // "Bath: a fan" is about a different place than the clause before, even if the place is unknown.
            if tokens.contains(where: { $0.kind == .colon }) { leadingRooms = [] }
            var start = skipFillers(from: 0)
            if let first = token(start), first.is(.note), let next = token(start + 1), let last = tokens.last {
                let room = tokens.indices.dropFirst(start).compactMap { roomPhrase(at: $0)?.rooms.first }.first
                return [.note(parser.utterance.sourceText(next.range.lowerBound..<last.range.upperBound), room)]
            }
            if let forgotten = parseRemoval(from: start) { return forgotten }
            if let change = parseCorrection(from: start) { return [change] }
            if let changes = parseCopula(from: start) { return changes }
            if let list = parseRooms(from: start) {
                guard isCorrection, case .rooms(let rooms, _) = list else {
                    // "In the garage. There's a car charger."
                    if case .rooms(let rooms, _) = list, rooms.count == 1, token(start)?.is(.in) == true { leadingRooms = rooms }
                    return [list]
                }
                // "No, in the bedroom."
                var change = CandidateChange()
                change.rooms = rooms
                return [.change(.topic, withSourceText(change, from: start, to: tokens.count))]
            }
            if token(start)?.is(.not) == true { start += 1 }
            return parseMentions(from: start)
        }

        /// Skips fillers such as "well, actually, …". Some of them announce a correction.
        mutating func skipFillers(from start: Int) -> Int {
            var index = start
            while let currentToken = token(index) {
                if currentToken.kind == .comma {
                    index += 1
                } else if equipment.matches(currentToken.text, is: "correction")
                    || equipment.matches(currentToken.text, is: "no") && startsNewStatement(after: index)
                {
                    isCorrection = true
                    index += 1
                } else if equipment.matches(currentToken.text, is: "filler") || currentToken.is(.and)
                    || equipment.matches(currentToken.text, is: "yes")
                {
                    index += 1
                } else {
                    break
                }
            }
            return index
        }

        /// "No, three lamps" corrects; "no lamps" states that there are none.
        func startsNewStatement(after index: Int) -> Bool {
            guard let next = token(index + 1) else { return true }
            return next.kind == .comma || next.is(.it) || next.is(.itIs) || next.is(.definite) || next.is(.indefinite) || next.is(.thereIs)
                || next.number != nil || next.is(.meant) || next.is(.itIsNot)
        }
    }
}
