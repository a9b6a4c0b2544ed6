import CardeaHub
import CardeaSecurity
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOFoundationCompat
import ServiceLifecycle

/// A camera's pictures as one answer of many parts, the way browsers and cameras have always done it (`multipart/x-mixed-replace`).
struct CameraPreviewStream: Sendable {
    static let contentType = "multipart/x-mixed-replace; boundary=\(boundary)"
    private static let boundary = "cardea-picture"
    /// The interval at which the viewer's right is checked. Revoking acts within a second.
    private static let recheckInterval = Duration.milliseconds(250)

    let hub: Hub

    /// Writes pictures until the reader leaves, the camera is gone, or the right to view ends.
    func send(_ preview: Cameras.Preview, to credential: Credential, isLocal: Bool, into writer: inout any ResponseBodyWriter) async throws
    {
        // A reader too slow for all of them sees the latest.
        let latest = AsyncStream<CameraPicture>.makeStream(bufferingPolicy: .bufferingNewest(1))
        latest.continuation.yield(preview.first)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { latest.continuation.finish() }
                // The next request reports why the camera is gone.
                do { for try await picture in preview.pictures { latest.continuation.yield(picture) } } catch is CameraUnavailableError {}
            }
            group.addTask {
                defer { latest.continuation.finish() }
                while try await isStillAllowed(preview.cameraID, credential, isLocal) { try await Task.sleep(for: Self.recheckInterval) }
            }
            for await picture in latest.stream.cancelOnGracefulShutdown() { try await writer.write(Self.part(picture)) }
            group.cancelAll()
        }
    }

    private func isStillAllowed(_ id: String, _ credential: Credential, _ isLocal: Bool) async throws -> Bool {
        guard try await hub.visibilityFilter.visibility(of: credential.principal, by: credential.token, isLocal: isLocal) != nil else {
            return false
        }
        return try await hub.cameras.mayContinuePreview(id, seenBy: credential.principal)
    }

    private static func part(_ picture: CameraPicture) -> ByteBuffer {
        var part = ByteBuffer(string: "--\(boundary)\r\nContent-Type: image/jpeg\r\nContent-Length: \(picture.jpeg.count)\r\n\r\n")
        part.writeData(picture.jpeg)
        part.writeString("\r\n")
        return part
    }
}
