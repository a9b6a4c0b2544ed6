import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// The state that the mind keeps across restarts.
extension Mind {
    private struct StoredState: Codable {
        var mood: Mood
        var habits: Habits?
        var acquaintances: DeviceFirstSeen
        var studies: LearningProgress
        var tidiedAt: Date?
        /// The reason for its loop's safe mode, which a restart does not end.
        var safeMode: String?

        static let documentKey = "self"
    }

    /// People's corrections, stored separately: they remain valid even if the learned state cannot be read any more.
    private struct StoredCorrections: Codable {
        var habits: [HabitKey: AttributedHabitCorrection]

        static let documentKey = "corrections"

        init(_ habits: Habits?) { self.habits = habits?.corrections ?? [:] }
    }

    func loadState() async -> Bool {
        do {
            let (stored, mustLearnAnew) = try await store.read { db in
                (
                    try MindDocumentRecords.read(StoredState.documentKey, as: StoredState.self, db),
                    try MindDocumentRecords.read(MindDocumentRecords.relearningKey, as: Bool.self, db) ?? false
                )
            }
            state.withLock { inner in
                if let stored {
                    (inner.mood, inner.habits, inner.firstSeen) = (stored.mood, stored.habits, stored.acquaintances)
                    (inner.learningProgress, inner.consolidatedAt) = (stored.studies, stored.tidiedAt)
                    if let why = stored.safeMode { inner.loop.restore(inSafeMode: why) }
                    if mustLearnAnew, let habits = inner.habits { inner.resetHabits(in: habits.zone) }
                }
                inner.isReady = true
            }
            return true
        } catch is DecodingError {
            // Of another version, or damaged: the mood is lost, but nothing of the house.
            logger.warning("stored state of the mind is damaged: starting without it")
            return await loadCorrections()
        } catch {
            logger.error("stored state of the mind could not be read", metadata: ["error": "\(type(of: error))"])
            return false
        }
    }

    /// Loads people's corrections, which stay valid whatever is learned anew. They are kept in the house's time zone, as soon as the
    /// house was read.
    private func loadCorrections() async -> Bool {
        do {
            let stored = try await store.read {
                try MindDocumentRecords.read(StoredCorrections.documentKey, as: StoredCorrections.self, $0)
            }
            state.withLock { inner in
                inner.habits = stored.map { Habits(zone: .gmt, corrections: $0.habits) }
                inner.isReady = true
            }
            return true
        } catch is DecodingError {
            logger.error("habit corrections are damaged and must be entered again")
            state.withLock { $0.isReady = true }
            return true
        } catch {
            logger.error("stored state of the mind could not be read", metadata: ["error": "\(type(of: error))"])
            return false
        }
    }

    /// Saves the reason for the loop's safe mode, or that it has ended.
    func saveSafeMode() async {
        do {
            try await saveState()
        } catch {
            logger.error("state of the mind could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// Saves the mood and the learned state.
    func saveState() async throws {
        let (stored, number) = state.withLock { inner in
            inner.saveCounter.drawn += 1
            let stored = StoredState(
                mood: inner.mood, habits: inner.habits, acquaintances: inner.firstSeen, studies: inner.learningProgress,
                tidiedAt: inner.consolidatedAt, safeMode: inner.loop.safeMode)
            return (stored, inner.saveCounter.drawn)
        }
        let (text, corrections, now) = (
            try MindDocumentRecords.text(stored), try MindDocumentRecords.text(StoredCorrections(stored.habits)), time.now()
        )
        try await store.write { [self] db in
            // Two saves may run at once: an older state must not overwrite a newer correction.
            guard state.withLock({ $0.saveCounter.written < number }) else { return }
            try MindDocumentRecords.write(StoredState.documentKey, text: text, at: now, in: db)
            try MindDocumentRecords.write(StoredCorrections.documentKey, text: corrections, at: now, in: db)
            try MindDocumentRecords.remove(MindDocumentRecords.relearningKey, in: db)
            state.withLock { $0.saveCounter.written = number }
        }
    }
}
