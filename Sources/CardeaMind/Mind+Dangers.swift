import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// Detects and reports smoke, gas and water from the present house alone.
extension Mind {
    /// Notifies all residents of dangers in the house, once for each occurrence.
    func reportDangers(_ snapshot: HouseSnapshot) async {
        let now = time.now()
        let watched = Set(snapshot.devices.flatMap(\.entities).filter { Danger($0) != nil && $0.state.value == "on" }.map(\.id))
        // An offline detector has not reported the end of the danger, so it is not announced again.
        let silent = snapshot.devices.flatMap { device in
            device.entities.filter { Danger($0) != nil && (device.status == .offline || $0.state.hasNoState) }
        }.map { Cause.alarmPrefix + $0.id }
        let dangers = await alarmCauses(watched, snapshot, at: now)
        let untold = state.withLock { inner -> [Cause] in
            // Dangers in the mood from before the restart have been announced already.
            let told = inner.reportedDangers ?? Set(inner.mood.state.shares.map(\.cause.id))
            inner.reportedDangers = told.intersection(silent).union(dangers.map(\.id))
            return dangers.filter { !told.contains($0.id) }
        }
        guard !untold.isEmpty else { return }
        do {
            try await store.write { db in
                for danger in untold {
                    let data: [String: JSONValue] = [
                        "notice": .string(NoticeKind.danger.rawValue), "words": .string(danger.words.text), "incident": .string(danger.id),
                    ]
                    let subject = "\(danger.id):\(danger.since.milliseconds)"
                    try Journal.append(.mindChanged, deviceID: danger.devices.first, subject: subject, data: data, at: now, in: db)
                }
            }
        } catch {
            // The next poll announces it.
            state.withLock { $0.reportedDangers?.subtract(untold.map(\.id)) }
            logger.error("danger notification could not be sent", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// - Parameter watched: the entities that report a danger now.
    private func alarmCauses(_ watched: Set<String>, _ snapshot: HouseSnapshot, at now: Date) async -> [Cause] {
        guard !watched.isEmpty else { return [] }
        var events: [HouseEvent] = []
        do {
            // The last report of each, however old: a state that has lasted for days began days ago.
            for entityID in watched.sorted() {
                let said = HouseEventFilter(entities: [entityID], kinds: [.state], to: now.addingTimeInterval(1), limit: 20)
                events += try await eventStore.events(said, seenBy: Self.fullVisibility)
            }
        } catch {
            // Without the beginning the announcement is less precise, but it is made all the same.
            logger.warning("mind could not store a memory", metadata: ["error": "\(type(of: error))"])
        }
        return CauseDetector(snapshot: snapshot, events: events, now: now, in: lexicon).alarms()
    }
}
