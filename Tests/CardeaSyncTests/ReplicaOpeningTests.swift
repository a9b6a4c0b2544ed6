import CardeaSecurity
import Foundation
import Testing

@testable import CardeaSync

@Suite("First opening of a replica")
struct ReplicaOpeningTests {
    // Eight commands started at once after sign-in: all but one found the tables half created by another, and failed. With more than two
    // migrations, one that lost the race for one lost the next as well; and two that switched to WAL at once did not wait for each other.
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
