import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/api/v1/memory`: the house's memories. `/api/v1/safla`: its learning loops.
struct MemoryController: Sendable {
    let hub: Hub
    let mind: Mind

    func addRoutes(to table: RouteTable) {
        table.person(.listMemories, list)
        table.person(.remember, remember)
        table.person(.showMemory, show)
        table.person(.changeMemory, change)
        table.person(.forgetMemory, delete)
        table.person(.showLoops, loops)
        table.person(.triggerLoop, trigger)
    }

    func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let search = try MemoryResponses.search(request.uri.queryParameters, at: hub.environment.now())
        let requester = try await memoryRequester(try await hub.mindFeed.requester(principal), principal)
        let found = try await mind.findMemories(search, by: requester)
        return try .encoding(
            MemoriesAnswer(memories: found.memories.map(MemoryResponses.answer), total: found.total, searchedSince: found.since))
    }

    private func show(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let requester = try await memoryRequester(try await hub.mindFeed.requester(principal), principal)
        let memory = try await mind.memory(try context.id(), by: requester)
        if memory.hasStableText, request.hasCached(version: memory.version) { return .notModified(memory.version) }
        return try response(memory)
    }

    func remember(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(RememberBody.self)
        // The idempotency key gives the memory's id, so repeats have the same one: the answer is stored after the memory, and a crash may
        // come between.
        let id = try request.idempotencyKey(Data()).map { MemoryResponses.id(named: $0.key, by: principal) } ?? hub.environment.newID()
        let memory = try await audited("memory.add", principal, context) { requester, record in
            try await mind.addMemory(MemoryResponses.draft(body), id: "memory_" + id, by: requester, record: record)
        }
        return try .encoding(RememberedAnswer(MemoryResponses.answer(memory)), status: .created).withETag(memory.version)
    }

    private func change(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let change = try MemoryResponses.change(try await request.decodeBody(ChangeMemoryBody.self))
        let (id, seen) = (try context.id(), try request.expectedVersion())
        let memory = try await audited("memory.change", principal, context) { requester, record in
            try await mind.changeMemory(id, change, seen: seen, by: requester, record: record)
        }
        return try response(memory)
    }

    private func delete(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let (id, seen) = (try context.id(), try request.expectedVersion())
        try await audited("memory.forget", principal, context) { requester, record in
            try await mind.deleteMemory(id, seen: seen, by: requester, record: record)
        }
        return .noContent
    }

    private func loops(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        _ = try await hub.mindFeed.requester(principal)
        return try .encoding(MemoryResponses.loops(mind.loopsStatus()))
    }

    private func trigger(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(TriggerLoopBody.self)
        _ = try await hub.mindFeed.requester(principal, for: "mind.trigger", needing: .modifySettings, origin: context.origin)
        let leaves = body.parameters?.leaveSafeMode == true
        guard await mind.triggerLoop(body.loopID, leavingSafeMode: leaves) else {
            throw APIResponseError(.notFound, "loop_not_found", "There is no loop with this id. Reload the list of loops.")
        }
        return try .encoding(
            TriggeredLoopAnswer(
                loopID: body.loopID, triggerID: "trigger_" + hub.environment.newID(), estimatedCompletion: MemoryResponses.roundDuration))
    }

    /// A memory that is made for each reading has no version, so its response has no entity tag.
    private func response(_ memory: VisibleMemory) throws -> Response {
        let answer = try Response.encoding(MemoryResponses.answer(memory))
        return memory.version > 0 ? answer.withETag(memory.version) : answer
    }

    private func memoryRequester(_ person: Person, _ principal: Principal) async throws -> MemoryRequester {
        MemoryRequester(person, degrees: try await hub.preferences.preferences(of: principal).temperatureUnit)
    }

    private func audited<Value: Sendable>(
        _ action: String, _ principal: Principal, _ context: HubRequestContext,
        _ body: (_ requester: MemoryRequester, _ record: ChangeRecorder) async throws -> Value
    ) async throws -> Value {
        let person = try await hub.mindFeed.requester(principal, for: action, needing: .controlDevices, origin: context.origin)
        do {
            return try await body(memoryRequester(person, principal), hub.mindFeed.recorder(action, by: principal, origin: context.origin))
        } catch MemoryError.notAllowed {
            throw await hub.mindFeed.refusal(action, to: principal, origin: context.origin)
        }
    }
}
