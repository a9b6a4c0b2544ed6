import CardeaModel
import Foundation

/// The confirmed devices, as drafts for the caller to create. A name is only a name, whatever it says.
extension Interview {
    /// Confirms candidates, and returns drafts of their devices.
    mutating func confirmAndDraft(_ chosen: [Candidate]) -> [DeviceDraft] {
        var drafts: [DeviceDraft] = []
        for candidate in chosen {
            guard let candidate = self.candidate(candidate.id), candidate.isOpen else { continue }
            drafts += self.drafts(of: candidate)
            editCandidate(candidate.id) { candidate in
                candidate.status = .confirmed
                candidate.chosen = candidate.matched
                candidate.matchOptions = []
            }
        }
        owed += drafts
        refresh()
        return drafts
    }

    private mutating func drafts(of candidate: Candidate) -> [DeviceDraft] {
        let things = candidate.matched.compactMap { id in discovered.first { $0.id == id } }
        let missing = candidate.missing
        let description = description(of: candidate)
        return (0..<max(candidate.count, 1)).map { number in
            let thing = things.indices.contains(number) ? things[number] : nil
            var lacks = missing
            if thing == nil, !lacks.contains(.connection) { lacks.append(.connection) }
            return DeviceDraft(
                candidateID: candidate.id, number: number + 1, name: uniqueName(for: candidate, number: number, thing: thing),
                function: candidate.function,
                kind: candidate.kind ?? thing?.kind, deviceClass: candidate.deviceClass, room: candidate.room?.reference,
                brand: candidate.brand ?? thing?.brand, model: candidate.model ?? thing?.model, description: description,
                thingID: thing?.id,
                deviceID: thing?.deviceID, missing: lacks)
        }
    }

    private func description(of candidate: Candidate) -> String? {
        var words = candidate.words
        while !words.isEmpty {
            if let text = try? Name.checkDescription(words.joined(separator: "; ")) { return text }
            words.removeLast()
        }
        return nil
    }

    /// The given name, the name of the discovered device, or one made from its properties; with its room or a number if it is taken.
    private mutating func uniqueName(for candidate: Candidate, number: Int, thing: DiscoveredDevice?) -> String {
        if let known = thing, known.deviceID != nil, candidate.givenName == nil, let name = try? Name.check(known.name) { return name }
        let plain = name(of: candidate)
        let made = candidate.givenName ?? (plain.prefix(1).uppercased() + plain.dropFirst())
        let base = Name.cleaned(String(made.prefix(Name.limit - 24)), else: Self.phrase(.unnamedDevice))
        var wishes = candidate.count > 1 ? ["\(base) \(number + 1)"] : [base]
        if let room = candidate.room, candidate.givenName == nil, candidate.count == 1 {
            wishes.append(Name.cleaned("\(room.name) \(plain)", else: base))
        }
        for wish in wishes where isAvailable(wish) { return reserve(name: wish) }
        for next in 2...2000 {
            let wish = "\(base) \(next)"
            if isAvailable(wish) { return reserve(name: wish) }
        }
        return reserve(name: base)
    }

    private func isAvailable(_ name: String) -> Bool {
        let folded = EquipmentLexicon.folded(name)
        return !takenNames.contains { EquipmentLexicon.folded($0) == folded }
    }

    private mutating func reserve(name: String) -> String {
        let name = (try? Name.check(name)) ?? Self.phrase(.unnamedDevice)
        if takenNames.count < 2000 { takenNames.append(name) }
        return name
    }
}
