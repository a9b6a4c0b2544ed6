import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// What it keeps of itself from one life to the next.
extension Mind {
    private struct Kept: Codable {
        var mood: Mood
        var habits: Habits?
        var acquaintances: Acquaintances
        var studies: Studies
        var tidiedAt: Date?
        /// Why its loop is in safe mode, which no new start ends.
        var safeMode: String?

        static let sheet = "self"
    }

    /// What people have put right, kept by itself: it holds though all that was learned cannot be read any more.
    private struct Corrections: Codable {
        var habits: [HabitKey: CorrectedHabit]

        static let sheet = "corrections"

        init(_ habits: Habits?) { self.habits = habits?.corrections ?? [:] }
    }

    func remembersItself() async -> Bool {
        do {
            let (kept, mustLearnAnew) = try await store.read { db in
                (try MindSheet.read(Kept.sheet, as: Kept.self, db), try MindSheet.read(MindSheet.unlearned, as: Bool.self, db) ?? false)
            }
            inner.withLock { inner in
                if let kept {
                    (inner.mood, inner.habits, inner.acquaintances) = (kept.mood, kept.habits, kept.acquaintances)
                    (inner.studies, inner.tidiedAt) = (kept.studies, kept.tidiedAt)
                    if let why = kept.safeMode { inner.loop.stay(inSafeMode: why) }
                    if mustLearnAnew, let habits = inner.habits { inner.unlearn(in: habits.zone) }
                }
                inner.isReady = true
            }
            return true
        } catch is DecodingError {
            // Of another version, or damaged: how it felt is lost, and nothing of the house's.
            logger.warning("the mind begins anew: what it kept of itself cannot be read")
            return await remembersCorrections()
        } catch {
            logger.error("the mind cannot read what it kept of itself", metadata: ["error": "\(type(of: error))"])
            return false
        }
    }

    /// What people have put right holds, whatever is learned anew; in the house's own time, as soon as it has looked.
    private func remembersCorrections() async -> Bool {
        do {
            let kept = try await store.read { try MindSheet.read(Corrections.sheet, as: Corrections.self, $0) }
            inner.withLock { inner in
                inner.habits = kept.map { Habits(zone: .gmt, corrections: $0.habits) }
                inner.isReady = true
            }
            return true
        } catch is DecodingError {
            logger.error("what people have put right of the mind's habits cannot be read: it is to be said again")
            inner.withLock { $0.isReady = true }
            return true
        } catch {
            logger.error("the mind cannot read what it kept of itself", metadata: ["error": "\(type(of: error))"])
            return false
        }
    }

    /// Writes down that its loop is in safe mode, or is so no longer.
    func rememberSafeMode() async {
        do {
            try await keepItself()
        } catch {
            logger.error("the mind cannot write down how it stands", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// Writes down how it feels and what it has learned.
    func keepItself() async throws {
        let (kept, number) = inner.withLock { inner in
            inner.sheets.drawn += 1
            let kept = Kept(
                mood: inner.mood, habits: inner.habits, acquaintances: inner.acquaintances, studies: inner.studies,
                tidiedAt: inner.tidiedAt, safeMode: inner.loop.safeMode)
            return (kept, inner.sheets.drawn)
        }
        let (text, corrections, now) = (try MindSheet.text(kept), try MindSheet.text(Corrections(kept.habits)), time.now())
        try await store.write { [self] db in
            // Two write at once: what somebody has just put right is not undone by what was drawn before.
            guard inner.withLock({ $0.sheets.written < number }) else { return }
            try MindSheet.write(Kept.sheet, text: text, at: now, in: db)
            try MindSheet.write(Corrections.sheet, text: corrections, at: now, in: db)
            try MindSheet.remove(MindSheet.unlearned, in: db)
            inner.withLock { $0.sheets.written = number }
        }
    }
}
