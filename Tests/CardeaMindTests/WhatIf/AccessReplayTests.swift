@testable import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Access replay")
struct AccessReplayTests {
    @Test("Under unchanged rules thirty days replay exactly as recorded", arguments: [1, 2, 3] as [UInt64])
    func unchanged(seed: UInt64) {
        let month = GeneratedAccessMonth(perDay: 150, seed: seed)
        let replay = AccessReplay(month.attempts, under: month.rules)

        let comparison = replay.repeated()

        #expect(comparison.rows.count == month.attempts.count && comparison.rows.count > 4000)
        #expect(comparison.rows.allSatisfy { $0.isReproduced == true })
        #expect(comparison.changed.isEmpty && comparison.contradictions.isEmpty)
        // Every reason of the month occurs, so that reproducing it means something.
        let reasons = Set(comparison.rows.compactMap(\.attempt.refusal))
        #expect(
            reasons.isSuperset(of: [
                "used_up", "outside_schedule", "expired", "revoked", "suspended", "security_device", "not_guest_accessible",
                "forbidden_remote", "device_not_in_scope", "action_not_allowed", "not_yet_valid", "awaiting_approval",
            ]), "\(reasons)")
    }

    @Test("Journal events reproduce the attempts, except indistinguishable ones")
    func folded() {
        let month = GeneratedAccessMonth(perDay: 8, seed: 4)
        let attempts = AccessReplay.attempts(in: month.events, circumstances: month.circumstances)
        #expect(attempts == month.attempts)
    }

    @Test("Changed hours, role, flag, limit and expiry change exactly the expected decisions")
    func changed() throws {
        let month = GeneratedAccessMonth(perDay: 150, seed: 5)
        let replay = AccessReplay(month.attempts, under: month.rules)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = GeneratedAccessMonth.zone
        func turned(_ change: AccessReplay.RuleChange) -> [String: AccessReplay.AttemptComparison.Change] {
            let rows = replay.compared(with: month.rules.changed(by: change)).changed
            return Dictionary(uniqueKeysWithValues: rows.map { ($0.attempt.id, $0.change) })
        }
        func expected(_ turn: (AccessReplay.Attempt) -> AccessReplay.AttemptComparison.Change?) -> [String: AccessReplay.AttemptComparison
            .Change]
        {
            Dictionary(uniqueKeysWithValues: month.attempts.compactMap { attempt in turn(attempt).map { (attempt.id, $0) } })
        }

        // A pass for any hour, without a limit: now mornings only. Openings after ten are refused, and earlier refusals (not in the pass,
        // or the like) keep their reason.
        let mornings = WeeklySchedule(
            lines: [.init(days: Set(Weekday.allCases), from: GeneratedAccessMonth.time("07:00"), to: GeneratedAccessMonth.time("10:00"))])
        #expect(
            turned(.schedule(of: "guest:g0", mornings))
                == expected { attempt in
                    let hour = calendar.component(.hour, from: attempt.at)
                    let wasLetThrough = attempt.refusal == nil || attempt.refusal == "device_unreachable"
                    return attempt.actor == "guest:g0" && wasLetThrough && !(7..<10).contains(hour) ? .refused : nil
                })

        // The front door is flagged: members then no longer open it.
        #expect(
            turned(.securityDevice("front", true))
                == expected { attempt in
                    let isCleo =
                        attempt.actor == "person:cleo"
                        && !(GeneratedAccessMonth.day(10)..<GeneratedAccessMonth.day(20)).contains(attempt.at)
                    let isMember = attempt.actor == "person:ben" || isCleo
                    return isMember && attempt.deviceID == "front" && attempt.verb != .lock ? .refused : nil
                })

        // Ben becomes an admin: the safe and the flagged back door open for him.
        #expect(
            turned(.role(of: "person:ben", .admin))
                == expected { attempt in
                    attempt.actor == "person:ben" && attempt.refusal == "security_device" ? .allowed : nil
                })

        // Ben becomes a guest: everything he did is refused, and earlier refusals are refused for a more basic reason.
        #expect(
            turned(.role(of: "person:ben", .guest))
                == expected { attempt in
                    guard attempt.actor == "person:ben" else { return nil }
                    return attempt.refusal == "security_device" ? .otherReason : .refused
                })

        // A pass ends after five days.
        let end = GeneratedAccessMonth.day(5)
        #expect(
            turned(.expiry(of: "guest:g6", end))
                == expected { attempt in
                    guard attempt.actor == "guest:g6", attempt.at >= end else { return nil }
                    return attempt.refusal == nil || attempt.refusal == "device_unreachable" ? .refused : .otherReason
                })

        // A pass without a limit gets one of ten: uses count one by one, and returned ones are free again.
        let before = try #require(month.rules.usesBefore["guest:g0"])
        var (uses, backs): (Int, [Date]) = (before, [])
        #expect(
            turned(.useLimit(of: "guest:g0", 10))
                == expected { attempt in
                    guard attempt.actor == "guest:g0" else { return nil }
                    uses -= backs.count { $0 <= attempt.at }
                    backs.removeAll { $0 <= attempt.at }
                    let isOver = attempt.at >= GeneratedAccessMonth.day(21.3)
                    if uses >= 10, !isOver {
                        return attempt.refusal == nil || attempt.refusal == "device_unreachable" ? .refused : .otherReason
                    }
                    guard attempt.refusal == nil else { return nil }
                    uses += 1
                    if attempt.wasReturned == true, let endedAt = attempt.endedAt { backs.append(endedAt) }
                    return nil
                })
    }

    @Test("A raised limit admits refused attempts, and those count as uses")
    func raised() throws {
        let month = GeneratedAccessMonth(perDay: 500, seed: 6)
        let rows = AccessReplay(month.attempts, under: month.rules).compared(with: month.rules.changed(by: .useLimit(of: "guest:g1", 43)))
            .rows
            .filter { $0.attempt.actor == "guest:g1" }
        let allowed = rows.filter { $0.change == .allowed }
        let last = try #require(allowed.last)

        // Three more than before, and those returned in the meantime.
        #expect((3...6).contains(allowed.count))
        #expect(allowed.allSatisfy { $0.attempt.refusal == "used_up" })
        let later = rows.filter { $0.attempt.at > last.attempt.at && $0.attempt.refusal == "used_up" }
        #expect(!later.isEmpty && later.allSatisfy { $0.change == .same || $0.change == .otherReason })
    }

    @Test("Closing one door to guests frees uses for other doors")
    func savedUses() {
        let month = GeneratedAccessMonth(perDay: 300, seed: 14)
        let rows = AccessReplay(month.attempts, under: month.rules).compared(
            with: month.rules.changed(by: .guestAccessible("front", false))
        ).rows
        let allowed = rows.filter { $0.change == .allowed }

        #expect(!allowed.isEmpty)
        #expect(allowed.allSatisfy { $0.attempt.deviceID != "front" && $0.attempt.refusal == "used_up" })
        #expect(rows.contains { $0.change == .refused && $0.attempt.deviceID == "front" })
    }

    @Test("The earlier use count of a pass is derived from its current one")
    func counted() {
        let month = GeneratedAccessMonth(perDay: 20, seed: 8)
        for actor in month.rules.usesBefore.keys.sorted() {
            let made = month.attempts.count { $0.actor == actor && $0.refusal == nil && $0.wasReturned != true }
            let before = month.rules.usesBefore[actor] ?? 0
            #expect(AccessReplay.usesBefore(now: before + made, of: actor, in: month.attempts) == before)
            if made > 0 { #expect(AccessReplay.usesBefore(now: made - 1, of: actor, in: month.attempts) == nil) }
        }
        #expect(AccessReplay.usesBefore(now: 5, of: "guest:g", in: [attempt(1, status: .failed)]) == nil)
    }

    // MARK: Unknown values

    private static let noon = GeneratedAccessMonth.day(3.5)

    private func attempt(
        _ id: Int, actor: String? = "guest:g", at seconds: Double = 0, status: CommandStatus = .confirmed, refusal: String? = nil,
        isLocal: Bool? = true, wasReturned: Bool? = nil, entity: String? = "lock.front"
    ) -> AccessReplay.Attempt {
        AccessReplay.Attempt(
            id: "happening_\(id)", at: Self.noon + seconds, actor: actor, deviceID: "front", entityID: entity, verb: .unlock,
            status: status,
            refusal: refusal, isLocal: isLocal, wasReturned: wasReturned)
    }

    private func rules(_ grant: Grant, uses: Int? = 0) -> AccessReplay.Rules {
        AccessReplay.Rules(
            zone: GeneratedAccessMonth.zone, grants: ["guest:g": grant], usesBefore: uses.map { ["guest:g": $0] } ?? [:],
            devices: GeneratedAccessMonth.devices)
    }

    private func pass(limit: Int = 0, localOnly: Bool = false, asks: Bool = false) -> Grant {
        Grant(
            id: "g", scope: .list([.init(deviceID: "front", entityID: "lock.front", verbs: [.unlock])]), useLimit: limit,
            asksEachTime: asks,
            localOnly: localOnly)
    }

    @Test("Unrecorded facts are reported, not guessed")
    func gaps() {
        func verdict(_ attempt: AccessReplay.Attempt, _ rules: AccessReplay.Rules) -> AccessReplay.Verdict? {
            AccessReplay([attempt], under: rules).repeated().rows.first?.before
        }
        #expect(verdict(attempt(1, actor: nil), rules(pass())) == .unknown([.actor]))
        #expect(verdict(attempt(1, actor: "guest:gone"), rules(pass())) == .unknown([.grant]))
        #expect(verdict(attempt(1, entity: "lock.gone"), rules(pass())) == .unknown([.device]))
        #expect(verdict(attempt(1, isLocal: nil), rules(pass(localOnly: true))) == .unknown([.network]))
        #expect(verdict(attempt(1, isLocal: nil), rules(pass())) == .allow)
        #expect(verdict(attempt(1), rules(pass(limit: 2), uses: nil)) == .unknown([.uses]))
        #expect(verdict(attempt(1), rules(pass(), uses: nil)) == .allow)
    }

    @Test("A failed attempt with unknown use return makes a later decision unknown only at the limit")
    func failedUse() {
        let attempts = [attempt(1, status: .failed), attempt(2, at: 600), attempt(3, at: 1200)]
        let two = AccessReplay(attempts, under: rules(pass(limit: 2))).repeated().rows.map(\.before)
        let three = AccessReplay(attempts, under: rules(pass(limit: 3))).repeated().rows.map(\.before)
        let told = AccessReplay([attempt(1, status: .failed, wasReturned: true)] + attempts.dropFirst(), under: rules(pass(limit: 2)))

        #expect(two == [.allow, .allow, .unknown([.uses])])
        #expect(three == [.allow, .allow, .allow])
        #expect(told.repeated().rows.map(\.before) == [.allow, .allow, .allow])
    }

    @Test("A door that would need an approval is not counted as opened")
    func asked() {
        let replay = AccessReplay([attempt(1), attempt(2, at: 600)], under: rules(pass(limit: 2)))
        let comparison = replay.compared(with: rules(pass(limit: 1, asks: true)))

        #expect(comparison.rows.map(\.after) == [.ask, .unknown([.uses])])
        #expect(comparison.doorsAsked.map(\.attempt.id) == ["happening_1"])
        #expect(comparison.doorsOpened.isEmpty && comparison.doorsShut.isEmpty)
        #expect(comparison.unknown.count == 1)
    }

    @Test("A pass revoked later is valid before its revocation")
    func laterRevoked() {
        var grant = pass()
        grant.revokedAt = Self.noon + 300
        let rows = AccessReplay([attempt(1), attempt(2, at: 600, status: .failed, refusal: "revoked")], under: rules(grant)).repeated().rows
        #expect(rows.map(\.isReproduced) == [true, true])
    }

    @Test("A door without attempts is reported as having no data")
    func nothing() {
        let replay = AccessReplay([], under: .init(zone: .gmt, grants: [:], devices: [Device]()))
        let words = WhatIfText().accessSummary(replay.compared(with: replay.rules), days: 7)
        #expect(words.hasPrefix("There is nothing to go by") && !words.contains("0 days"))
    }

    @Test("Rules that differ from those in force are detected")
    func contradictions() {
        let comparison = AccessReplay([attempt(1, status: .failed, refusal: "used_up")], under: rules(pass())).repeated()
        #expect(comparison.contradictions.count == 1)
    }

    // A role was changed, and earlier decisions were once explained by the new one, as certain as the rest.
    @Test("A decision made by unknown rules stays unknown and is reported")
    func unfounded() {
        let attempts = [attempt(1), attempt(2, at: 600, status: .failed, refusal: "security_device")]
        let replay = AccessReplay(attempts, under: rules(pass()))
        var revoked = pass()
        revoked.revokedAt = .distantPast
        let comparison = replay.compared(with: rules(revoked))

        #expect(comparison.rows.map(\.before) == [.allow, .unknown([.rules])])
        #expect(comparison.rows.map(\.change) == [.refused, .unknown([.rules])])
        #expect(comparison.doorsShut.count == 1 && comparison.doorsOpened.isEmpty && comparison.contradictions.count == 1)
        let words = WhatIfText().accessSummary(comparison, days: 1)
        #expect(words.contains("of 1 attempt it cannot be said, because it was decided by other rules than those that are known"))
        #expect(!words.contains("was not written down"))
        #expect(comparison.rows.last?.before.text(in: .standard) == "unknown: it is not known by what rules it was decided then")
    }

    // MARK: Duration, and absence of side effects

    @Test("Sixty thousand attempts in thirty days replay under two rules")
    func many() {
        let month = GeneratedAccessMonth(perDay: 2000, seed: 9)
        let replay = AccessReplay(month.attempts, under: month.rules)
        let other = month.rules.changed(by: .useLimit(of: "guest:g1", 10)).changed(by: .securityDevice("front", true))

        #expect(replay.repeated().rows.allSatisfy { $0.isReproduced == true })
        #expect(!replay.compared(with: other).changed.isEmpty)
    }

    @Test("Replay holds value types only")
    func values() {
        // A type with a closure or a reference without identity is not Hashable automatically, and no such conformance is written by hand.
        func isValue<Held: Hashable & Sendable>(_ held: Held) -> [String] { Self.others(in: held, at: "\(Held.self)") }
        let month = GeneratedAccessMonth(perDay: 3, seed: 1)
        let replay = AccessReplay(month.attempts, under: month.rules)

        #expect(isValue(replay) == [])
        #expect(isValue(replay.compared(with: month.rules.changed(by: .securityDevice("front", true)))) == [])
    }

    /// Paths inside a value to everything that is not a plain value: a reference or a function.
    private static func others(in thing: Any, at path: String) -> [String] {
        // Foundation's own values have internal references, which do not matter.
        if thing is Date || thing is TimeZone || thing is String { return [] }
        let mirror = Mirror(reflecting: thing)
        let name = "\(type(of: thing))"
        if mirror.displayStyle == .class || name.contains("->") { return ["\(path): \(name)"] }
        return mirror.children.enumerated().flatMap { others(in: $0.element.value, at: "\(path).\($0.element.label ?? "\($0.offset)")") }
    }

    @Test("Replay sources import nothing with side effects and declare nothing of the kind")
    func files() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources").standardizedFileURL
        let replay = try FileManager.default.contentsOfDirectory(
            at: sources.appending(path: "CardeaMind/WhatIf/Replay"), includingPropertiesForKeys: nil)
        #expect(replay.count >= 5)
        // These files dry-run an automation, and the same engine runs it: acting on its results is another file.
        let trial = ["AutomationDryRun", "AutomationEvaluator"].map { sources.appending(path: "CardeaAutomations/\($0).swift") }
        let files = replay + trial
        for file in files {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let code = lines.filter { !$0.hasPrefix("//") }
            let imports = Set(code.filter { $0.hasPrefix("import ") })
            #expect(imports.isSubset(of: ["import CardeaModel", "import Foundation"]), "\(file.lastPathComponent)")
            // A case may be called `any`.
            let words = Set(
                code.flatMap { $0.replacing(".any(", with: ".").split { !$0.isLetter && $0 != "_" && $0 != "@" }.map(String.init) })
            let acting: Set = [
                "@escaping", "async", "await", "any", "class", "protocol", "Task", "URLSession", "FileManager", "Process", "weak",
            ]
            #expect(words.isDisjoint(with: acting), "\(file.lastPathComponent): \(words.intersection(acting))")
            for declared in ["actor ", "public actor ", "static var ", "static func ==", "func hash(into", "nonisolated(unsafe)"] {
                #expect(!code.contains { $0.hasPrefix(declared) || $0.hasPrefix("public \(declared)") }, "\(file.lastPathComponent)")
            }
            let stored = code.filter { ($0.contains("let ") || $0.contains("var ")) && $0.contains("->") && !$0.contains("func ") }
            #expect(stored.isEmpty, "\(file.lastPathComponent): \(stored)")
        }
    }
}
