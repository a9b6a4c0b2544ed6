extension Route {
    public static var listMemories: Route {
        Route(
            .get, "/api/v1/memory", .mind, "Search memories: told facts, learned habits and events",
            query: [
                Parameter("memory_type", .enumeration(MemoryType.self)),
                Parameter("time_range", .text(matching: "^[1-9][0-9]{0,3}[mhd]$", example: "7d").about("Period to look back; default 7d")),
                Parameter("limit", .integer(1...200).about("Default 10")),
                Parameter("q", .text(1...200).about("Search text; without `time_range`, all time is searched")),
                Parameter("category", .text(1...100)), Parameter("device_id", .deviceID),
            ], .ok(MemoriesAnswer.self))
    }

    public static var remember: Route {
        Route(
            .post, "/api/v1/memory", .mind, "Store a memory", body: .json(RememberBody.self),
            .created(RememberedAnswer.self), fails: [.conflict])
    }

    public static var showMemory: Route {
        Route(
            .get, "/api/v1/memory/{id}", .mind, "Get a memory; answers refer to memories by these ids", .ok(MemoryAnswer.self),
            fails: [.memoryNotFound], traits: [.entityTag])
    }

    public static var changeMemory: Route {
        Route(
            .patch, "/api/v1/memory/{id}", .mind, "Change a memory or correct a habit; omitted fields stay",
            body: .json(ChangeMemoryBody.self), .ok(MemoryAnswer.self), fails: [.memoryNotFound, .conflict], traits: [.ifMatch])
    }

    public static var forgetMemory: Route {
        Route(
            .delete, "/api/v1/memory/{id}", .mind, "Delete a memory, or stop learning a habit", .noContent,
            fails: [.memoryNotFound, .conflict], traits: [.ifMatch])
    }
}
