import CardeaModel
import Foundation

extension Interview {
    /// Reads what a clause says about things and rooms. It knows nothing of the conversation: what "it" is, others decide.
    struct SentenceReader {
        let equipment: Equipment
        let finder: RoomFinder
        let utterance: Utterance

        init(_ utterance: Utterance, equipment: Equipment, rooms: [Interview.KnownRoom]) {
            self.utterance = utterance
            self.equipment = equipment
            finder = RoomFinder(equipment: equipment, rooms: rooms)
        }

        func statements() -> [Statement] {
            var all: [Statement] = []
            // "In the kitchen there's a fridge. There's also an oven." goes on in the kitchen.
            var leading: [Interview.SpokenRoom] = []
            for clause in utterance.clauses where !clause.isQuestion {
                var clause = ClauseReader(reader: self, pieces: clause.pieces, leading: leading)
                all += clause.read()
                leading = clause.leading
            }
            return all
        }
    }

    /// One clause on its way from left to right.
    struct ClauseReader {
        let reader: SentenceReader
        let pieces: [Piece]
        /// The rooms that were set before the things: "in the kitchen we have…".
        var leading: [Interview.SpokenRoom]
        var isCorrection = false

        var equipment: Equipment { reader.equipment }

        init(reader: SentenceReader, pieces: [Piece], leading: [Interview.SpokenRoom]) {
            self.reader = reader
            self.pieces = pieces
            self.leading = leading
        }

        func piece(_ index: Int) -> Piece? { pieces.indices.contains(index) ? pieces[index] : nil }

        mutating func read() -> [Statement] {
            // "Bath: a fan" is about another place than the one before, even if nobody knows which.
            if pieces.contains(where: { $0.what == .colon }) { leading = [] }
            var start = skipFillers(from: 0)
            if let first = piece(start), first.is(.note), let next = piece(start + 1), let last = pieces.last {
                let room = pieces.indices.dropFirst(start).compactMap { roomPhrase(at: $0)?.rooms.first }.first
                return [.note(reader.utterance.written(next.range.lowerBound..<last.range.upperBound), room)]
            }
            if let forgotten = readForgetting(from: start) { return forgotten }
            if let change = readMeant(from: start) { return [change] }
            if let changes = readCopula(from: start) { return changes }
            if let list = readRooms(from: start) {
                guard isCorrection, case .rooms(let rooms, _) = list else {
                    // "In the garage. There's a car charger."
                    if case .rooms(let rooms, _) = list, rooms.count == 1, piece(start)?.is(.in) == true { leading = rooms }
                    return [list]
                }
                // "No, in the bedroom."
                var change = Change()
                change.rooms = rooms
                return [.change(.topic, finished(change, from: start, to: pieces.count))]
            }
            if piece(start)?.is(.not) == true { start += 1 }
            return readMentions(from: start)
        }

        /// "Well, actually, …": polite noises; some of them announce that something is put right.
        mutating func skipFillers(from start: Int) -> Int {
            var index = start
            while let piece = piece(index) {
                if piece.what == .comma {
                    index += 1
                } else if equipment.utterance(piece.text, is: "correction")
                    || equipment.utterance(piece.text, is: "no") && startsAnew(after: index)
                {
                    isCorrection = true
                    index += 1
                } else if equipment.utterance(piece.text, is: "filler") || piece.is(.and) || equipment.utterance(piece.text, is: "yes") {
                    index += 1
                } else {
                    break
                }
            }
            return index
        }

        /// "No, three lamps" puts right; "no lamps" says that there are none.
        func startsAnew(after index: Int) -> Bool {
            guard let next = piece(index + 1) else { return true }
            return next.what == .comma || next.is(.it) || next.is(.itIs) || next.is(.definite) || next.is(.indefinite) || next.is(.thereIs)
                || next.number != nil || next.is(.meant) || next.is(.itIsNot)
        }
    }
}
