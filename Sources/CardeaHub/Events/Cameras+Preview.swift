import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

extension Cameras {
    /// A live view of a camera, picture after picture, for the caller who holds it.
    public struct Preview: Sendable {
        public let cameraID: String
        /// The first picture, fetched at once, so that a camera out of reach is an error and not an empty stream.
        public let first: CameraPicture
        public let pictures: AsyncThrowingStream<CameraPicture, any Error>
        private let slot: PreviewSlots.Slot

        init(cameraID: String, first: CameraPicture, pictures: AsyncThrowingStream<CameraPicture, any Error>, slot: PreviewSlots.Slot) {
            self.cameraID = cameraID
            self.first = first
            self.pictures = pictures
            self.slot = slot
        }
    }

    /// Opens a live view. Refused while as many are open as the house can serve.
    public func preview(_ id: String, seenBy principal: Principal) async throws -> Preview {
        let (reader, plan) = try await resolveSource(id, principal)
        guard let slot = previewSlots.acquire(id) else { throw CameraError.tooMany(PreviewSlots.retryAfter) }
        do {
            let first = try await reader.picture(of: plan)
            return Preview(cameraID: id, first: first, pictures: reader.pictures(of: plan), slot: slot)
        } catch {
            throw CameraError.offline(error)
        }
    }

    /// Returns whether `principal` may keep watching, and the camera still exists and is enabled.
    public func mayContinuePreview(_ id: String, seenBy principal: Principal) async throws -> Bool {
        do {
            return try await one(id, seenBy: principal).camera.isEnabled
        } catch CameraError.notFound {
            return false
        } catch is People.PersonError {
            return false
        }
    }
}

/// Limits how many live views are open at once: each keeps a camera and the hub busy.
final class PreviewSlots: Sendable {
    static let perCamera = 4
    static let perHouse = 8
    /// Seconds after which a retry is useful.
    static let retryAfter: TimeInterval = 10

    private let used = Mutex<[String: Int]>([:])

    /// A slot, freed when it is no longer held, even if the response was never sent.
    final class Slot: Sendable {
        private let release: @Sendable () -> Void

        init(_ rise: @escaping @Sendable () -> Void) {
            self.release = rise
        }

        deinit { release() }
    }

    func acquire(_ id: String) -> Slot? {
        let isFree = used.withLock { taken in
            guard taken[id, default: 0] < Self.perCamera, taken.values.reduce(0, +) < Self.perHouse else { return false }
            taken[id, default: 0] += 1
            return true
        }
        guard isFree else { return nil }
        return Slot { [weak self] in
            self?.used.withLock { taken in
                let left = taken[id, default: 1] - 1
                taken[id] = left > 0 ? left : nil
            }
        }
    }
}
