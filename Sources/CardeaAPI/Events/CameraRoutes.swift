extension Route {
    public static var listCameras: Route {
        Route(.get, "/api/v1/cameras", .events, "List cameras", .ok(CamerasAnswer.self))
    }

    public static var addCamera: Route {
        Route(
            .post, "/api/v1/cameras", .events, "Add a camera", body: .json(AddCameraBody.self), .created(CameraAnswer.self),
            fails: [.conflict], traits: [.stepUp])
    }

    public static var showCamera: Route {
        Route(.get, "/api/v1/cameras/{id}", .events, "One camera", .ok(CameraAnswer.self), fails: [.cameraNotFound])
    }

    public static var changeCamera: Route {
        Route(
            .patch, "/api/v1/cameras/{id}", .events, "Replace a camera's settings", body: .json(ChangeCameraBody.self),
            .ok(CameraAnswer.self),
            fails: [.cameraNotFound], traits: [.stepUp, .ifMatch])
    }

    public static var removeCamera: Route {
        Route(
            .delete, "/api/v1/cameras/{id}", .events, "Delete a camera", .noContent, fails: [.cameraNotFound], traits: [.ifMatch])
    }

    public static var showCameraSnapshot: Route {
        Route(
            .get, "/api/v1/cameras/{id}/snapshot", .events, "Get a snapshot; at most 30 a minute",
            .picture("image/jpeg", "With `Cache-Control: no-store`"), fails: [.cameraNotFound, .cameraOffline, .rateLimited])
    }

    public static var streamCameraPreview: Route {
        Route(
            .get, "/api/v1/cameras/{id}/preview", .events,
            "Stream live pictures (MJPEG) until the viewer leaves or loses the right; at most four viewers per camera, eight in all",
            .picture("multipart/x-mixed-replace", "JPEGs, each with its `Content-Length`, with `Cache-Control: no-store`"),
            fails: [.cameraNotFound, .cameraOffline, .rateLimited])
    }

    public static var listMobileCameras: Route {
        Route(.get, "/api/v1/mobile/cameras", .events, "List cameras for the mobile app", .ok(MobileCamerasAnswer.self))
    }

    public static var showMobileCameraSnapshot: Route {
        Route(
            .get, "/api/v1/mobile/cameras/{id}/snapshot", .events, "Get a snapshot; at most 30 a minute",
            .picture("image/jpeg", "With `Cache-Control: no-store`"), fails: [.cameraNotFound, .cameraOffline, .rateLimited])
    }
}
