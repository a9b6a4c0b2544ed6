import CardeaHub
import CardeaModel
import Foundation
import Synchronization

/// Cameras that show what the test says.
public final class ScriptedCameras: CameraReader, Sendable {
    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    private struct State {
        var troubles: [String: CameraUnavailableError] = [:]
        var hanging: Set<String> = []
        var requests: [CameraConfiguration] = []
    }

    public init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// The smallest thing that begins and ends as a JPEG does.
    public static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xD9])

    /// The cameras that were requested, in order.
    public var requests: [CameraConfiguration] { state.withLock { $0.requests } }

    public func set(_ trouble: CameraUnavailableError?, at host: String) {
        state.withLock { $0.troubles[host] = trouble }
    }

    /// Has whoever looks through the camera there wait for ever.
    public func blockForever(at host: String) {
        state.withLock { _ = $0.hanging.insert(host) }
    }

    public func check(_ source: CameraSource) async throws(CameraUnavailableError) {
        if let trouble = state.withLock({ $0.troubles[source.address.host] }), case .refusedAddress = trouble { throw trouble }
    }

    public func picture(of plan: CameraConfiguration) async throws(CameraUnavailableError) -> CameraPicture {
        let (trouble, isHanging) = state.withLock { state in
            state.requests.append(plan)
            return (state.troubles[plan.source.address.host], state.hanging.contains(plan.source.address.host))
        }
        if let trouble { throw trouble }
        if isHanging {
            // Until nobody looks any more.
            try? await Task.sleep(for: .seconds(86_400))
            throw .stalled
        }
        return CameraPicture(jpeg: Self.jpeg, takenAt: now())
    }

    public func pictures(of plan: CameraConfiguration) -> AsyncThrowingStream<CameraPicture, any Error> {
        AsyncThrowingStream { continuation in
            continuation.yield(CameraPicture(jpeg: Self.jpeg, takenAt: now()))
            continuation.finish()
        }
    }
}
