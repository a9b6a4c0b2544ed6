import CardeaHub

/// Takes pictures of cameras that are not being watched: one at a time of each, whoever asks, and few at a time of all.
actor Snapshots {
    private let seats: Int
    private var taken = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var open: [String: Task<CameraPicture, any Error>] = [:]

    init(seats: Int = 2) {
        self.seats = seats
    }

    func picture(_ name: String, _ take: @escaping @Sendable () async throws -> CameraPicture) async throws -> CameraPicture {
        if let task = open[name] { return try await task.value }
        // Ends by itself: whatever is taken has its limit. It belongs to everybody who asks, so none of them may end it.
        let task = Task {
            await sit()
            defer { rise() }
            return try await take()
        }
        open[name] = task
        defer { open[name] = nil }
        return try await task.value
    }

    private func sit() async {
        guard taken >= seats else {
            taken += 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func rise() {
        if waiting.isEmpty { taken -= 1 } else { waiting.removeFirst().resume() }
    }
}
