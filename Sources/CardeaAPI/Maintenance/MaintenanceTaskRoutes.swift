extension Route {
    public static var listMaintenance: Route {
        Route(
            .get, "/api/v1/maintenance", .privacy, "List maintenance tasks by due day",
            query: [
                Parameter("due_before", .day.about("Only tasks due before this day")),
                Parameter("overdue", .boolean.about("Only overdue tasks")),
                Parameter("room_id", .text().about("Only tasks of this room or of a device in it")),
                Parameter("device_id", .deviceID),
                Parameter("done", .boolean.about("Include completed one-time tasks")),
            ], .ok(MaintenanceListAnswer.self))
    }

    public static var addMaintenance: Route {
        Route(
            .post, "/api/v1/maintenance", .privacy, "Create a one-time or recurring task",
            body: .json(MaintenanceBody.self), .created(MaintenanceAnswer.self), fails: [.conflict])
    }

    public static var showMaintenance: Route {
        Route(
            .get, "/api/v1/maintenance/{id}", .privacy, "One task", .ok(MaintenanceAnswer.self), fails: [.taskNotFound],
            traits: [.entityTag])
    }

    public static var changeMaintenance: Route {
        Route(
            .patch, "/api/v1/maintenance/{id}", .privacy, "Change a task; omitted fields stay", body: .json(ChangeMaintenanceBody.self),
            .ok(MaintenanceAnswer.self), fails: [.taskNotFound], traits: [.ifMatch])
    }

    public static var removeMaintenance: Route {
        Route(
            .delete, "/api/v1/maintenance/{id}", .privacy, "Delete a task with its history", .noContent, fails: [.taskNotFound],
            traits: [.ifMatch])
    }

    public static var completeMaintenance: Route {
        Route(
            .post, "/api/v1/maintenance/{id}/complete", .privacy, "Record that a task was done; returns the next due day",
            body: .optionalJSON(CompleteMaintenanceBody.self), .ok(MaintenanceDoneAnswer.self), fails: [.taskNotFound, .conflict],
            traits: [.ifMatch])
    }

    public static var showMaintenanceHistory: Route {
        Route(
            .get, "/api/v1/maintenance/{id}/history", .privacy, "List completed tasks with person and cost, newest first",
            query: [
                Parameter("limit", .integer(1...200).about("Default 50")),
                Parameter("before", .text(matching: "^[1-9][0-9]{0,17}$", example: "120").about("The last item of the page before")),
            ], .ok(MaintenanceHistoryAnswer.self), fails: [.taskNotFound])
    }
}
