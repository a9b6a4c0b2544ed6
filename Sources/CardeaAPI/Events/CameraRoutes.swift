extension Route {
    public static var listCameras: Route {
        Route(.get, "/api/v1/cameras", .events, "The cameras of the house", .ok(CamerasAnswer.self))
    }

    public static var addCamera: Route {
        Route(
            .post, "/api/v1/cameras", .events, "A camera more", body: .json(AddCameraBody.self), .created(CameraAnswer.self),
            fails: [.conflict], traits: [.stepUp])
    }

    public static var showCamera: Route {
        Route(.get, "/api/v1/cameras/{id}", .events, "One camera", .ok(CameraAnswer.self), fails: [.cameraNotFound])
    }

    public static var changeCamera: Route {
        Route(
            .patch, "/api/v1/cameras/{id}", .events, "Describe a camera anew", body: .json(ChangeCameraBody.self), .ok(CameraAnswer.self),
            fails: [.cameraNotFound], traits: [.stepUp, .ifMatch])
    }

    public static var removeCamera: Route {
        Route(
            .delete, "/api/v1/cameras/{id}", .events, "Take a camera out", .noContent, fails: [.cameraNotFound], traits: [.ifMatch])
    }

    public static var showCameraSnapshot: Route {
        Route(
            .get, "/api/v1/cameras/{id}/snapshot", .events, "What the camera shows now; 30 a minute",
            .picture("image/jpeg", "Kept by nobody: `no-store`"), fails: [.cameraNotFound, .cameraOffline, .rateLimited])
    }

    public static var streamCameraPreview: Route {
        Route(
            .get, "/api/v1/cameras/{id}/preview", .events,
            "What the camera shows, picture after picture, until whoever looks goes or may not any longer; four at a camera, eight in all",
            .picture("multipart/x-mixed-replace", "JPEGs, each with its `Content-Length`. Kept by nobody: `no-store`"),
            fails: [.cameraNotFound, .cameraOffline, .rateLimited])
    }

    public static var listMobileCameras: Route {
        Route(.get, "/api/v1/mobile/cameras", .events, "The cameras of the house, for an app", .ok(MobileCamerasAnswer.self))
    }

    public static var showMobileCameraSnapshot: Route {
        Route(
            .get, "/api/v1/mobile/cameras/{id}/snapshot", .events, "What the camera shows now; 30 a minute",
            .picture("image/jpeg", "Kept by nobody: `no-store`"), fails: [.cameraNotFound, .cameraOffline, .rateLimited])
    }
}
