import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization

extension Cameras {
    /// What a camera shows, picture after picture, for whoever holds it.
    public struct Preview: Sendable {
        public let cameraID: String
        /// There at once, so that a camera out of reach is an answer and not an empty stream.
        public let first: CameraPicture
        public let pictures: AsyncThrowingStream<CameraPicture, any Error>
        private let slot: PreviewSlots.Slot

        init(cameraID: String, first: CameraPicture, pictures: AsyncThrowingStream<CameraPicture, any Error>, seat: PreviewSlots.Slot) {
            self.cameraID = cameraID
            self.first = first
            self.pictures = pictures
            self.slot = seat
        }
    }

    /// Picture after picture. Refused while as many look already as the house can serve.
    public func preview(_ id: String, seenBy principal: Principal) async throws -> Preview {
        let (eyes, plan) = try await resolveSource(id, principal)
        guard let seat = previewSlots.acquire(id) else { throw CameraError.tooMany(PreviewSlots.retryAfter) }
        do {
            let first = try await eyes.picture(of: plan)
            return Preview(cameraID: id, first: first, pictures: eyes.pictures(of: plan), seat: seat)
        } catch {
            throw CameraError.offline(error)
        }
    }

    /// Whether `principal` may go on looking, and the camera is still there to be looked through.
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

/// How many look picture after picture at once: each of them has a camera and the hub at work all the time.
final class PreviewSlots: Sendable {
    static let perCamera = 4
    static let perHouse = 8
    /// Seconds after which it is worth asking again.
    static let retryAfter: TimeInterval = 10

    private let used = Mutex<[String: Int]>([:])

    /// One seat, given back when nobody holds it any more: also where an answer was never sent.
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
