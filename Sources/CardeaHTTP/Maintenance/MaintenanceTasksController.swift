import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes
import Hummingbird

/// `/api/v1/maintenance`: due tasks, and completed ones.
struct MaintenanceTasksController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.listMaintenance, list)
        table.person(.addMaintenance, keepsItself: true, add)
        table.person(.showMaintenance, show)
        table.person(.changeMaintenance, change)
        table.person(.removeMaintenance, remove)
        table.person(.completeMaintenance, keepsItself: true, complete)
        table.person(.showMaintenanceHistory, history)
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        var filter = MaintenanceTasks.Filter()
        filter.dueBefore = try query["due_before"].map { text in
            guard let day = CalendarDay(String(text)) else {
                throw APIResponseError.validation("due_before", "must be a day such as 2026-11-30")
            }
            return day
        }
        filter.isOverdue = try flag(query["overdue"], "overdue")
        filter.includesDone = try flag(query["done"], "done")
        filter.roomID = query["room_id"].map(String.init)
        filter.deviceID = query["device_id"].map(String.init)
        let listing = try await hub.maintenance.all(filter, seenBy: principal)
        return try .encoding(MaintenanceListAnswer(tasks: listing.tasks.map(MaintenanceAnswer.init), today: listing.today))
    }

    private func flag(_ text: Substring?, _ name: String) throws -> Bool {
        switch text {
        case nil, "false": false
        case "true": true
        default: throw APIResponseError.validation(name, "must be true or false")
        }
    }

    private func add(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = try WireFormat.readBody(MaintenanceBody.self, from: data)
        let draft = MaintenanceTasks.Draft(
            title: body.title, category: body.category ?? .other, priority: body.priority ?? .normal, dueOn: body.dueOn,
            recurrence: body.recurrence, deviceID: body.deviceID, roomID: body.roomID, notes: body.notes)
        let (task, isReplay) = try await hub.maintenance.add(
            draft, by: principal, call: try request.idempotencyKey(data), origin: context.origin)
        return try .encoding(MaintenanceAnswer(task), status: .created, isReplay: isReplay).withETag(task.version)
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let task = try await hub.maintenance.one(try context.id(), seenBy: principal)
        if request.hasCached(version: task.version) { return .notModified(task.version) }
        return try .encoding(MaintenanceAnswer(task)).withETag(task.version)
    }

    private func change(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(ChangeMaintenanceBody.self)
        let task = try await hub.maintenance.change(
            try context.id(), seen: try request.expectedVersion(), by: principal, origin: context.origin
        ) { body.apply(to: &$0) }
        return try .encoding(MaintenanceAnswer(task)).withETag(task.version)
    }

    private func remove(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        try await hub.maintenance.remove(try context.id(), seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return .noContent
    }

    private func complete(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let data = try await request.jsonBody()
        let body = data.isEmpty ? CompleteMaintenanceBody() : try WireFormat.readBody(CompleteMaintenanceBody.self, from: data)
        let done = MaintenanceTasks.CompletionDraft(
            at: body.completedAt, cost: body.cost?.money, notes: body.notes, serviceProvider: body.serviceProvider)
        let (task, completion, isReplay) = try await hub.maintenance.complete(
            try context.id(), done, seen: try request.expectedVersion(), by: principal, call: try request.idempotencyKey(data),
            origin: context.origin)
        return try .encoding(
            MaintenanceDoneAnswer(task: MaintenanceAnswer(task), completion: MaintenanceCompletionAnswer(completion)), isReplay: isReplay
        ).withETag(task.version)
    }

    private func history(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let before = try query["before"].map { text in
            guard text.count <= 18, let number = Int64(text), number > 0 else {
                throw APIResponseError.validation("before", "must be the number of an entry of an earlier page")
            }
            return number
        }
        let limit = try DeviceQuery.number(query, "limit", 1...200) ?? 50
        let id = try context.id()
        let (completions, hasMore) = try await hub.maintenance.history(of: id, before: before, limit: limit, seenBy: principal)
        return try .encoding(
            MaintenanceHistoryAnswer(taskID: id, completions: completions.map(MaintenanceCompletionAnswer.init), hasMore: hasMore))
    }
}

extension ChangeMaintenanceBody {
    fileprivate func apply(to draft: inout MaintenanceTasks.Draft) {
        draft.title = title ?? draft.title
        draft.category = category ?? draft.category
        draft.priority = priority ?? draft.priority
        if let dueOn { draft.dueOn = dueOn.wrappedValue }
        if let recurrence { draft.recurrence = recurrence.wrappedValue }
        if let deviceID { draft.deviceID = deviceID.wrappedValue }
        if let roomID { draft.roomID = roomID.wrappedValue }
        if let notes { draft.notes = notes.wrappedValue }
    }
}
