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
struct CamerasController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
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

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try .encoding(CamerasAnswer(cameras: try await hub.cameras.all(seenBy: principal).map(CameraResponses.answer)))
    }

    private func mobileList(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let cameras = try await hub.cameras.all(seenBy: principal)
        return try .encoding(
            MobileCamerasAnswer(cameras: cameras.map { CameraSummary($0.camera, isOnline: $0.status?.isOnline ?? false) }))
    }

    private func add(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(AddCameraBody.self, from: data)
        let draft = Cameras.Draft(
            name: body.name, isEnabled: body.isEnabled, source: CameraResponses.source(body.source), detection: body.detection?.detection)
        let (seen, isReplay) = try await hub.cameras.add(
            draft, by: principal, call: try request.idempotencyKey(data), origin: context.origin)
        return try .encoding(CameraResponses.answer(seen), status: .created, isReplay: isReplay).withETag(seen.camera.version)
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let seen = try await hub.cameras.one(try context.id(), seenBy: principal)
        return try .encoding(CameraResponses.answer(seen)).withETag(seen.camera.version)
    }

    private func change(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(ChangeCameraBody.self)
        let draft = Cameras.Draft(
            name: body.name, isEnabled: body.isEnabled, source: body.source.map(CameraResponses.source),
            detection: body.detection?.detection)
        let seen = try await hub.cameras.change(
            try context.id(), draft, seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return try .encoding(CameraResponses.answer(seen)).withETag(seen.camera.version)
    }

    private func remove(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await hub.cameras.remove(try context.id(), seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return .noContent
    }

    private func preview(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        guard let token = try request.bearerToken() else { throw APIResponseError.unauthorized }
        let preview = try await hub.cameras.preview(try context.id(), seenBy: principal)
        let (credential, isLocal) = (Credential(principal, by: token), context.origin.isLocal)
        return Response(
            status: .ok, headers: [.contentType: CameraPreviewStream.contentType, .cacheControl: "no-store"],
            body: ResponseBody { [hub] writer in
                try await CameraPreviewStream(hub: hub).send(preview, to: credential, isLocal: isLocal, into: &writer)
                try await writer.finish(nil)
            })
    }

    private func snapshot(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let picture = try await hub.cameras.picture(try context.id(), seenBy: principal)
        return Response(
            status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(data: picture.jpeg)))
    }
}
