import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// Smoke, gas and water. It rests on nothing but the house as it stands.
extension Mind {
    /// Tells everybody who lives here of dangers in the house, once of each time.
    func watchOver(_ picture: HousePicture) async {
        let now = time.now()
        let watched = Set(picture.devices.flatMap(\.entities).filter { Danger($0) != nil && $0.state.value == "on" }.map(\.id))
        // A detector that is away has not said that it is over: what it said before is told of once.
        let silent = picture.devices.flatMap { device in
            device.entities.filter { Danger($0) != nil && (device.status == .offline || $0.state.saysNothing) }
        }.map { Cause.alarm + $0.id }
        let dangers = await alarms(watched, picture, at: now)
        let untold = inner.withLock { inner -> [Cause] in
            // What it felt before it was started anew, it has told of.
            let told = inner.dangers ?? Set(inner.mood.state.shares.map(\.cause.id))
            inner.dangers = told.intersection(silent).union(dangers.map(\.id))
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
            // The next look tells of it.
            inner.withLock { $0.dangers?.subtract(untold.map(\.id)) }
            logger.error("nobody could be told of a danger", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// - Parameter watched: the entities that report a danger now.
    private func alarms(_ watched: Set<String>, _ picture: HousePicture, at now: Date) async -> [Cause] {
        guard !watched.isEmpty else { return [] }
        var happenings: [Happening] = []
        do {
            // Of each the last that it said, however long ago that was: what stands for days began days ago.
            for entityID in watched.sorted() {
                let said = HappeningFilter(entities: [entityID], kinds: [.state], to: now.addingTimeInterval(1), limit: 20)
                happenings += try await memory.happenings(said, seenBy: Self.wholeSight)
            }
        } catch {
            // Since when it is so is told less well; that it is so is told all the same.
            logger.warning("the mind could not remember", metadata: ["error": "\(type(of: error))"])
        }
        return Outlook(picture: picture, happenings: happenings, now: now, in: lexicon).alarms()
    }
}
