import CardeaHub
import CardeaModel
import Foundation
import Synchronization

/// Cameras with scripted pictures.
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

    /// The smallest data that begins and ends like a JPEG.
    public static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xD9])

    /// The cameras that were requested, in order.
    public var requests: [CameraConfiguration] { state.withLock { $0.requests } }

    public func set(_ error: CameraUnavailableError?, at host: String) {
        state.withLock { $0.troubles[host] = error }
    }

    /// Makes reads of the camera there hang.
    public func blockForever(at host: String) {
        state.withLock { _ = $0.hanging.insert(host) }
    }

    public func check(_ source: CameraSource) async throws(CameraUnavailableError) {
        if let error = state.withLock({ $0.troubles[source.address.host] }), case .refusedAddress = error { throw error }
    }

    public func picture(of plan: CameraConfiguration) async throws(CameraUnavailableError) -> CameraPicture {
        let (error, isHanging) = state.withLock { state in
            state.requests.append(plan)
            return (state.troubles[plan.source.address.host], state.hanging.contains(plan.source.address.host))
        }
        if let error { throw error }
        if isHanging {
            // Until no caller is left.
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
