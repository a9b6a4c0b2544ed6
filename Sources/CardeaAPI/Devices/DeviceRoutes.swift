import CardeaModel

extension Route {
    public static var listDevices: Route {
        Route(
            .get, "/api/v1/devices", .devices, "List the devices that the caller may see, with filters",
            query: [
                Parameter("status", .enumeration(DeviceStatus.self)),
                Parameter("location", .text().about("Id or name of a room; alias `room`")),
                Parameter("device_class", .enumeration(DeviceClass.self).about("Aliases `device_type` and `type`")),
                Parameter("kind", .enumeration(EntityKind.self)), Parameter("integration", .text()),
                Parameter("q", .text().about("Words to find in the name, description, manufacturer, room or entities")),
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
            .patch, "/api/v1/devices/{id}", .devices, "Change a device's name, room or permissions; omitted fields stay",
            body: .json(ChangeDeviceBody.self), .ok(DeviceAnswer.self), fails: [.deviceNotFound], traits: [.stepUp, .ifMatch])
    }

    public static var removeDevice: Route {
        Route(
            .delete, "/api/v1/devices/{id}", .devices, "Delete a device; it returns if its integration announces it again", .noContent,
            fails: [.deviceNotFound], traits: [.ifMatch])
    }

    public static var markWayIn: Route {
        Route(
            .put, "/api/v1/devices/{id}/entities/{entity_id}/way-in", .devices,
            "Mark a button, switch or valve as one that opens a way in; it is then treated as a door", .ok(DeviceAnswer.self),
            fails: [.deviceNotFound])
    }

    public static var unmarkWayIn: Route {
        Route(
            .delete, "/api/v1/devices/{id}/entities/{entity_id}/way-in", .devices, "Remove the mark of a way in", .ok(DeviceAnswer.self),
            fails: [.deviceNotFound], traits: [.stepUp])
    }

    public static var showWaysIn: Route {
        Route(
            .get, "/api/v1/devices/{id}/ways-in", .devices,
            "List the entities that are ways in, with their commands and their current announcements",
            .ok(WaysInAnswer.self), fails: [.deviceNotFound])
    }

    public static var confirmWaysIn: Route {
        Route(
            .post, "/api/v1/devices/{id}/ways-in/same-door", .devices,
            "Confirm that they are the same doors: passes, tags, scenes and automations may open them again",
            body: .json(WaysInBody.self),
            .ok(DeviceAnswer.self), fails: [.deviceNotFound], traits: [.stepUp])
    }

    public static var releaseWaysIn: Route {
        Route(
            .post, "/api/v1/devices/{id}/ways-in/none", .devices, "Confirm that, as they are announced now, they open no way in",
            body: .json(WaysInBody.self), .ok(DeviceAnswer.self), fails: [.deviceNotFound], traits: [.stepUp])
    }

    public static var mergeDevices: Route {
        Route(
            .post, "/api/v1/devices/{id}/merge", .devices, "Merge two devices; the id of the other becomes an alias",
            body: .json(MergeDevicesBody.self), .ok(MovedAnswer.self), fails: [.deviceNotFound, .conflict], traits: [.stepUp])
    }

    public static var replaceDoor: Route {
        Route(
            .post, "/api/v1/devices/{id}/replace", .devices, "Replace a door that is removed or unreachable by an entity of this device",
            body: .json(ReplaceDoorBody.self), .ok(MovedAnswer.self), fails: [.deviceNotFound, .conflict], traits: [.stepUp])
    }

    public static var listReplaceable: Route {
        Route(
            .get, "/api/v1/devices/{id}/replaceable", .devices, "List the doors that an entity of this device can replace",
            .ok(ReplaceableDoorsAnswer.self), fails: [.deviceNotFound])
    }

    public static var showEntityPicture: Route {
        Route(
            .get, "/api/v1/devices/{id}/entities/{entity_id}/picture", .devices, "Get the latest picture of an image entity",
            .picture("image/*", "JPEG, PNG, WebP or GIF, with `Cache-Control: no-store`"), fails: [.deviceNotFound])
    }

    public static var controlDevice: Route {
        Route(
            .put, "/api/v1/devices/{id}/control", .devices, "Control a device and return the outcome", body: .json(ControlBody.self),
            .ok(CommandAnswer.self, "The device confirmed the command"), .accepted(CommandAnswer.self, "Under way"),
            fails: ErrorCode.commandErrors, traits: [.respondsAsync])
    }

    public static var controlDevices: Route {
        Route(
            .post, "/api/v1/devices/batch-control", .devices, "Control several devices; each command is authorised by itself",
            body: .json(BatchControlBody.self),
            .ok(BatchAnswer.self, "The outcome of each command"), .accepted(BatchAnswer.self, "Under way"), traits: [.respondsAsync])
    }

    public static var showCommand: Route {
        Route(.get, "/api/v1/commands/{id}", .devices, "Get the status of a command", .ok(CommandAnswer.self))
    }

    public static var approveCommand: Route {
        Route(
            .post, "/api/v1/commands/{id}/approve", .devices, "Approve a waiting guest command", .ok(CommandAnswer.self), fails: [.conflict]
        )
    }

    public static var rejectCommand: Route {
        Route(
            .post, "/api/v1/commands/{id}/reject", .devices, "Reject a waiting guest command", .ok(CommandAnswer.self), fails: [.conflict])
    }
}
