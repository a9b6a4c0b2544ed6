import CardeaModel

extension Route {
    public static var listDevices: Route {
        Route(
            .get, "/api/v1/devices", .devices, "The devices you may see, or those of them that fit",
            query: [
                Parameter("status", .enumeration(DeviceStatus.self)),
                Parameter("location", .text().about("A room's id or name; also `room`")),
                Parameter("device_class", .enumeration(DeviceClass.self).about("Also `device_type` and `type`")),
                Parameter("kind", .enumeration(EntityKind.self)), Parameter("integration", .text()),
                Parameter("q", .text().about("Words of name, description, maker, room and entities")),
                Parameter("limit", .integer(1...1000)),
                Parameter("offset", .integer(0...1_000_000)),
            ], .ok(DevicesAnswer.self), .source(SourceDevicesAnswer.self), traits: [.entityTag])
    }

    public static var showDevice: Route {
        Route(
            .get, "/api/v1/devices/{id}", .devices, "One device", .ok(DeviceAnswer.self), .source(SourceDeviceAnswer.self),
            fails: [.deviceNotFound, .validation], traits: [.entityTag])
    }

    public static var changeDevice: Route {
        Route(
            .patch, "/api/v1/devices/{id}", .devices, "Its name, its room, and who may use it; what is left out stays",
            body: .json(ChangeDeviceBody.self), .ok(DeviceAnswer.self), fails: [.deviceNotFound], traits: [.stepUp, .ifMatch])
    }

    public static var removeDevice: Route {
        Route(
            .delete, "/api/v1/devices/{id}", .devices, "Forget a device; announced again, it comes back", .noContent,
            fails: [.deviceNotFound], traits: [.ifMatch])
    }

    public static var markWayIn: Route {
        Route(
            .put, "/api/v1/devices/{id}/entities/{entity_id}/way-in", .devices,
            "Say that a button, a switch or a valve opens a way in: from then on it counts as opening a door", .ok(DeviceAnswer.self),
            fails: [.deviceNotFound])
    }

    public static var unmarkWayIn: Route {
        Route(
            .delete, "/api/v1/devices/{id}/entities/{entity_id}/way-in", .devices, "Say that it opens no way in", .ok(DeviceAnswer.self),
            fails: [.deviceNotFound], traits: [.stepUp])
    }

    public static var showWaysIn: Route {
        Route(
            .get, "/api/v1/devices/{id}/ways-in", .devices,
            "The parts that are ways in by the house's memory, how each is told to open, and how it is announced now",
            .ok(WaysInAnswer.self), fails: [.deviceNotFound])
    }

    public static var confirmWaysIn: Route {
        Route(
            .post, "/api/v1/devices/{id}/ways-in/same-door", .devices,
            "Say that they are the doors that they were: passes, tags, scenes and automations open them again",
            body: .json(WaysInBody.self),
            .ok(DeviceAnswer.self), fails: [.deviceNotFound], traits: [.stepUp])
    }

    public static var releaseWaysIn: Route {
        Route(
            .post, "/api/v1/devices/{id}/ways-in/none", .devices, "Say that they open no way in, as they are announced now",
            body: .json(WaysInBody.self), .ok(DeviceAnswer.self), fails: [.deviceNotFound], traits: [.stepUp])
    }

    public static var mergeDevices: Route {
        Route(
            .post, "/api/v1/devices/{id}/merge", .devices, "Make one device of two; the other's id is another name of it",
            body: .json(MergeDevicesBody.self), .ok(MovedAnswer.self), fails: [.deviceNotFound, .conflict], traits: [.stepUp])
    }

    public static var replaceDoor: Route {
        Route(
            .post, "/api/v1/devices/{id}/replace", .devices, "Put a part of it in the place of a door that is gone or out of reach",
            body: .json(ReplaceDoorBody.self), .ok(MovedAnswer.self), fails: [.deviceNotFound, .conflict], traits: [.stepUp])
    }

    public static var listReplaceable: Route {
        Route(
            .get, "/api/v1/devices/{id}/replaceable", .devices, "The doors whose place a part of it can take",
            .ok(ReplaceableDoorsAnswer.self), fails: [.deviceNotFound])
    }

    public static var showEntityPicture: Route {
        Route(
            .get, "/api/v1/devices/{id}/entities/{entity_id}/picture", .devices, "The last picture of an image entity",
            .picture("image/*", "JPEG, PNG, WebP or GIF. Kept by nobody: `no-store`"), fails: [.deviceNotFound])
    }

    public static var controlDevice: Route {
        Route(
            .put, "/api/v1/devices/{id}/control", .devices, "Move it, and say what came of it", body: .json(ControlBody.self),
            .ok(CommandAnswer.self, "The device says that it is done"), .accepted(CommandAnswer.self, "Under way"),
            fails: ErrorCode.commandErrors, traits: [.respondsAsync])
    }

    public static var controlDevices: Route {
        Route(
            .post, "/api/v1/devices/batch-control", .devices, "Move several at once, each by its own right",
            body: .json(BatchControlBody.self),
            .ok(BatchAnswer.self, "What came of each"), .accepted(BatchAnswer.self, "Under way"), traits: [.respondsAsync])
    }

    public static var showCommand: Route {
        Route(.get, "/api/v1/commands/{id}", .devices, "How a command stands", .ok(CommandAnswer.self))
    }

    public static var approveCommand: Route {
        Route(.post, "/api/v1/commands/{id}/approve", .devices, "Say yes to a guest who waits", .ok(CommandAnswer.self), fails: [.conflict])
    }

    public static var rejectCommand: Route {
        Route(.post, "/api/v1/commands/{id}/reject", .devices, "Say no to a guest who waits", .ok(CommandAnswer.self), fails: [.conflict])
    }
}
