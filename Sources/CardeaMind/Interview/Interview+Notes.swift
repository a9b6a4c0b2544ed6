import CardeaModel
import Foundation

/// Notes on equipment that is not connected, and on other things to be remembered.
extension Interview {
    /// Adds a note on equipment that is not connected, for each room it is in.
    mutating func addNote(_ mention: Mention, at now: Date) {
        let rooms = mention.rooms.compactMap { $0.options.count == 1 ? $0.options.first : nil }.reduce(into: [KnownRoom]()) { list, room in
            if !list.contains(where: { $0.key == room.key }), let kept = adoptedRoom(room) { list.append(kept) }
        }
        let hinted = mention.placeHint.map { hint in self.rooms.filter { $0.kind == hint } } ?? []
        let places: [KnownRoom?] = !rooms.isEmpty ? rooms : hinted.count == 1 ? hinted : [nil]
        for room in places {
            var count = mention.count ?? 1
            if places.count > 1, !mention.isEach, count % places.count == 0 { count /= places.count }
            storeNote(
                function: mention.function, brand: mention.brand, count: min(max(count, 1), Self.countLimit), room: room,
                text: mention.words, at: now)
        }
    }

    mutating func addNote(_ text: String, room: KnownRoom?, at now: Date) {
        storeNote(function: nil, brand: nil, count: 1, room: room.flatMap { adoptedRoom($0) }, text: text, at: now)
    }

    /// Turns a candidate into a note: no device is created for it, and it is not forgotten.
    mutating func convertToNote(_ id: String, at now: Date) {
        guard let candidate = candidate(id), candidate.isOpen else { return }
        editCandidate(id) { $0.status = .rejected }
        storeNote(
            function: candidate.function, brand: candidate.brand, count: candidate.count, room: candidate.room,
            text: Self.phrase(.unconnected, [.thing: describe(candidate)]), at: now)
        topic.removeAll { $0 == id }
    }

    private mutating func storeNote(function: String?, brand: String?, count: Int, room: KnownRoom?, text: String, at now: Date) {
        let moment = now.milliseconds
        // A repeated note replaces the earlier one, which is kept with its dates.
        for place in notes.indices where notes[place].isCurrent {
            let note = notes[place]
            let isSame =
                function == nil
                ? note.function == nil && note.text == text
                : note.function == function && note.room?.key == room?.key && (note.brand == brand || note.brand == nil || brand == nil)
            guard isSame else { continue }
            if note.text == text, note.count == count, note.brand == brand { return }
            notes[place].supersededAt = moment
            notes[place].supersededBecause = Self.phrase(.becauseSaidAnew)
        }
        if notes.count >= Self.noteLimit {
            // The oldest superseded note goes first; current notes are kept.
            guard let oldest = notes.firstIndex(where: { !$0.isCurrent }) else { return }
            notes.remove(at: oldest)
        }
        notes.append(
            Note(
                id: "note_\(nextNumber)", text: String(text.prefix(300)), function: function, brand: brand, count: count, room: room,
                writtenAt: moment))
        nextNumber += 1
    }

    /// Marks the notes about this equipment as superseded.
    mutating func supersede(_ mention: Mention, because words: String, at now: Date) {
        let keys = Set(mention.rooms.flatMap(\.options).map(\.key))
        let fitting = notes.indices.filter { place in
            let note = notes[place]
            guard note.isCurrent, let function = note.function, function == mention.function else { return false }
            if let brand = mention.brand, let own = note.brand, own != brand { return false }
            return keys.isEmpty || note.room.map { keys.contains($0.key) } ?? true
        }
        for place in mention.isPlural ? fitting[...] : fitting.suffix(1) {
            notes[place].supersededAt = now.milliseconds
            notes[place].supersededBecause = String(words.prefix(300))
        }
    }
}
