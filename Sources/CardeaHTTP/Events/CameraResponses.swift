import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// Cameras in the wire's words.
enum CameraResponses {
    static func answer(_ seen: Cameras.CameraWithStatus) -> CameraAnswer {
        let isOnline = seen.status?.isOnline ?? false
        return CameraAnswer(
            seen.camera, isOnline: isOnline,
            reason: seen.camera.isEnabled ? seen.status?.error?.message : CameraUnavailableError.disabled.message)
    }

    static func source(_ body: CameraSourceBody) -> Cameras.EndpointDraft {
        Cameras.EndpointDraft(
            kind: body.kind, url: body.url, user: body.username, password: body.password.map { Secret($0) }, name: body.camera,
            token: body.token.map { Secret($0) })
    }
}
