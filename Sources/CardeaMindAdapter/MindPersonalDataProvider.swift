import CardeaHub
import CardeaMind
import CardeaModel
import Foundation
import GRDB
import Logging
import Synchronization

/// The mind as a provider of personal data. The reference is weak, so the hub does not keep the mind alive.
struct MindPersonalDataProvider: PersonalDataProvider {
    private final class WeakReference: Sendable {
        private let mind: Mutex<WeakBox>

        private struct WeakBox { weak var mind: Mind? }

        init(_ mind: Mind) { self.mind = Mutex(WeakBox(mind: mind)) }

        var value: Mind? { mind.withLock { $0.mind } }
    }

    private let reference: WeakReference

    init(_ mind: Mind) { reference = WeakReference(mind) }

    func personalData(of key: String) async throws -> [JSONValue] { try reference.value?.personalData(of: key) ?? [] }

    func erase(_ key: String, names: [String]) async throws -> Int {
        try await reference.value?.erase(person: key, names: names) ?? 0
    }
}
