import CardeaSecurity
import Foundation
import Testing

@testable import CardeaSync

@Suite("First opening of a replica")
struct ReplicaOpeningTests {
    // Eight commands started at once after signing in: all but one found the tables half made by another, and failed. With more
    // steps than two, one that lost a step lost the next as well; and two that turned to WAL at once did not wait for each other.
    @Test("Concurrent first openings all succeed")
    func atOnce() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = SealingKey.random()
        for round in 1...10 {
            let file = folder.appending(path: "\(round).sqlite")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...8 { group.addTask { try ReplicaStore(file: file, sealing: key).close() } }
                try await group.waitForAll()
            }
        }
    }
}
