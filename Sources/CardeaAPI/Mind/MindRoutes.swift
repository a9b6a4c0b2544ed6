extension Route {
    public static var askHouse: Route {
        Route(
            .post, "/api/v1/consciousness/query", .mind, "Ask the house something, or for something; nothing is done by asking",
            body: .json(AskHouseBody.self), .ok(HouseReplyAnswer.self))
    }

    public static var showConsciousness: Route {
        Route(
            .get, "/api/v1/consciousness/status", .mind, "How the house is, and how much of itself it perceives",
            .ok(ConsciousnessAnswer.self))
    }

    public static var showEmotions: Route {
        Route(
            .get, "/api/v1/consciousness/emotions", .mind, "How the house feels, why, and how it felt",
            query: [
                Parameter(
                    "time_range", .text(matching: "^[1-9][0-9]{0,3}[mhd]$", example: "1h").about("How far back; an hour when left out")),
                Parameter("include_history", .boolean.about("True when left out")),
            ], .ok(EmotionsAnswer.self))
    }
}

// MARK: Memory

extension Route {
    public static var listMemories: Route {
        Route(
            .get, "/api/v1/memory", .mind, "What the house remembers: what it was told, what it learned, what happened",
            query: [
                Parameter("memory_type", .enumeration(MemoryType.self)),
                Parameter("time_range", .text(matching: "^[1-9][0-9]{0,3}[mhd]$", example: "7d").about("How far back; 7d when left out")),
                Parameter("limit", .integer(1...200).about("10 when left out")),
                Parameter("q", .text(1...200).about("Words to look for; all time is looked through where `time_range` is left out")),
                Parameter("category", .text(1...100)), Parameter("device_id", .deviceID),
            ], .ok(MemoriesAnswer.self))
    }

    public static var remember: Route {
        Route(
            .post, "/api/v1/memory", .mind, "Have the house remember something", body: .json(RememberBody.self),
            .created(RememberedAnswer.self), fails: [.conflict])
    }

    public static var showMemory: Route {
        Route(
            .get, "/api/v1/memory/{id}", .mind, "One memory; the ids that an answer rests on are such", .ok(MemoryAnswer.self),
            fails: [.memoryNotFound], traits: [.entityTag])
    }

    public static var changeMemory: Route {
        Route(
            .patch, "/api/v1/memory/{id}", .mind, "Have a memory say something else, or say what a habit is; what is left out stays",
            body: .json(ChangeMemoryBody.self), .ok(MemoryAnswer.self), fails: [.memoryNotFound, .conflict], traits: [.ifMatch])
    }

    public static var forgetMemory: Route {
        Route(
            .delete, "/api/v1/memory/{id}", .mind, "Forget a memory, or learn a habit no more", .noContent,
            fails: [.memoryNotFound, .conflict], traits: [.ifMatch])
    }
}

// MARK: Loops

extension Route {
    public static var showLoops: Route {
        Route(
            .get, "/api/v1/safla/status", .mind, "The loops in which the house senses, analyses, answers and learns", .ok(LoopsAnswer.self))
    }

    public static var triggerLoop: Route {
        Route(
            .post, "/api/v1/safla/trigger", .mind, "Have a loop go round now", body: .json(TriggerLoopBody.self),
            .ok(TriggeredLoopAnswer.self), fails: [.loopNotFound])
    }
}
