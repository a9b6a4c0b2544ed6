import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// `/api/v1/cameras`, and `/api/v1/mobile/cameras` in the words of Seed 003.
struct CamerasHarness: Sendable {
    let hub: Hub

    func add(to table: RouteTable) {
        table.person(.listCameras, list)
        table.person(.addCamera, keepsItself: true, add)
        table.person(.showCamera, show)
        table.person(.changeCamera, change)
        table.person(.removeCamera, remove)
        table.person(.showCameraSnapshot, snapshot)
        table.person(.streamCameraPreview, preview)
        table.person(.listMobileCameras, mobileList)
        table.person(.showMobileCameraSnapshot, snapshot)
    }

    private func list(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try .encoding(CamerasAnswer(cameras: try await hub.cameras.all(seenBy: principal).map(CameraWire.answer)))
    }

    private func mobileList(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let cameras = try await hub.cameras.all(seenBy: principal)
        return try .encoding(
            MobileCamerasAnswer(cameras: cameras.map { CameraSummary($0.camera, isOnline: $0.standing?.isOnline ?? false) }))
    }

    private func add(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBytes()
        let body = try Wire.readBody(AddCameraBody.self, from: data)
        let draft = Cameras.Draft(
            name: body.name, isEnabled: body.isEnabled, source: CameraWire.source(body.source), detection: body.detection?.detection)
        let (seen, isReplay) = try await hub.cameras.add(
            draft, by: principal, call: try request.callName(data), origin: context.origin)
        return try .encoding(CameraWire.answer(seen), status: .created, isReplay: isReplay).tagged(seen.camera.version)
    }

    private func show(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let seen = try await hub.cameras.one(try context.id(), seenBy: principal)
        return try .encoding(CameraWire.answer(seen)).tagged(seen.camera.version)
    }

    private func change(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let body = try await request.read(ChangeCameraBody.self)
        let draft = Cameras.Draft(
            name: body.name, isEnabled: body.isEnabled, source: body.source.map(CameraWire.source), detection: body.detection?.detection)
        let seen = try await hub.cameras.change(
            try context.id(), draft, seen: try request.seen(), by: principal, origin: context.origin)
        return try .encoding(CameraWire.answer(seen)).tagged(seen.camera.version)
    }

    private func remove(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        try await hub.cameras.remove(try context.id(), seen: try request.seen(), by: principal, origin: context.origin)
        return .noContent
    }

    private func preview(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        guard let token = try request.bearer() else { throw Problem.unauthorized }
        let preview = try await hub.cameras.preview(try context.id(), seenBy: principal)
        let (credential, isLocal) = (Credential(principal, by: token), context.origin.isLocal)
        return Response(
            status: .ok, headers: [.contentType: PreviewWire.type, .cacheControl: "no-store"],
            body: ResponseBody { [hub] writer in
                try await PreviewWire(hub: hub).send(preview, to: credential, isLocal: isLocal, into: &writer)
                try await writer.finish(nil)
            })
    }

    private func snapshot(_ request: Request, _ context: HouseContext, _ principal: Principal) async throws -> Response {
        let picture = try await hub.cameras.picture(try context.id(), seenBy: principal)
        return Response(
            status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(data: picture.jpeg)))
    }
}

/// Cameras in the wire's words.
enum CameraWire {
    static func answer(_ seen: Cameras.Seen) -> CameraAnswer {
        let isOnline = seen.standing?.isOnline ?? false
        return CameraAnswer(
            seen.camera, isOnline: isOnline,
            reason: seen.camera.isEnabled ? seen.standing?.trouble?.words : CameraTrouble.disabled.words)
    }

    static func source(_ body: CameraSourceBody) -> Cameras.SourceDraft {
        Cameras.SourceDraft(
            kind: body.kind, url: body.url, user: body.username, password: body.password.map { Secret($0) }, name: body.camera,
            token: body.token.map { Secret($0) })
    }
}
