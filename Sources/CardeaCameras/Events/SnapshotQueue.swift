import CardeaHub

/// Takes pictures of cameras that are not being watched: one at a time per camera, and a few at a time in total.
actor SnapshotQueue {
    private let maximumConcurrent: Int
    private var runningCount = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var runningTasks: [String: Task<CameraPicture, any Error>] = [:]

    init(slots: Int = 2) {
        self.maximumConcurrent = slots
    }

    func picture(_ name: String, _ take: @escaping @Sendable () async throws -> CameraPicture) async throws -> CameraPicture {
        if let task = runningTasks[name] { return try await task.value }
        // Runs to its end: every picture request has a time limit. It belongs to all its callers, so none of them may cancel it.
        let task = Task {
            await acquireSlot()
            defer { releaseSlot() }
            return try await take()
        }
        runningTasks[name] = task
        defer { runningTasks[name] = nil }
        return try await task.value
    }

    private func acquireSlot() async {
        guard runningCount >= maximumConcurrent else {
            runningCount += 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func releaseSlot() {
        if waiting.isEmpty { runningCount -= 1 } else { waiting.removeFirst().resume() }
    }
}
