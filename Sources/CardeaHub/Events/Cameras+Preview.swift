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
        private let seat: PreviewSeats.Seat

        init(cameraID: String, first: CameraPicture, pictures: AsyncThrowingStream<CameraPicture, any Error>, seat: PreviewSeats.Seat) {
            self.cameraID = cameraID
            self.first = first
            self.pictures = pictures
            self.seat = seat
        }
    }

    /// Picture after picture. Refused while as many look already as the house can serve.
    public func preview(_ id: String, seenBy principal: Principal) async throws -> Preview {
        let (eyes, plan) = try await looking(id, principal)
        guard let seat = seats.take(id) else { throw Problem.tooMany(PreviewSeats.wait) }
        do {
            let first = try await eyes.picture(of: plan)
            return Preview(cameraID: id, first: first, pictures: eyes.pictures(of: plan), seat: seat)
        } catch {
            throw Problem.offline(error)
        }
    }

    /// Whether `principal` may go on looking, and the camera is still there to be looked through.
    public func mayStillLook(_ id: String, seenBy principal: Principal) async throws -> Bool {
        do {
            return try await one(id, seenBy: principal).camera.isEnabled
        } catch Problem.notFound {
            return false
        } catch is People.Problem {
            return false
        }
    }
}

/// How many look picture after picture at once: each of them has a camera and the hub at work all the time.
final class PreviewSeats: Sendable {
    static let ofACamera = 4
    static let ofTheHouse = 8
    /// Seconds after which it is worth asking again.
    static let wait: TimeInterval = 10

    private let taken = Mutex<[String: Int]>([:])

    /// One seat, given back when nobody holds it any more: also where an answer was never sent.
    final class Seat: Sendable {
        private let rise: @Sendable () -> Void

        init(_ rise: @escaping @Sendable () -> Void) {
            self.rise = rise
        }

        deinit { rise() }
    }

    func take(_ id: String) -> Seat? {
        let isFree = taken.withLock { taken in
            guard taken[id, default: 0] < Self.ofACamera, taken.values.reduce(0, +) < Self.ofTheHouse else { return false }
            taken[id, default: 0] += 1
            return true
        }
        guard isFree else { return nil }
        return Seat { [weak self] in
            self?.taken.withLock { taken in
                let left = taken[id, default: 1] - 1
                taken[id] = left > 0 ? left : nil
            }
        }
    }
}
