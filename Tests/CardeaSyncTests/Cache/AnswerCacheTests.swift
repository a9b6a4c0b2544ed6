import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaSync

@Suite("Cached answers offline", .timeLimit(.minutes(5)))
struct AnswerCacheTests {
    @Test("A cached answer is used for its lifetime without a request, and shown with its age offline")
    func ages() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let people = CacheableQuery<PeopleAnswer>.people
            let first = try await phone.replica.answer(people)
            #expect(first.value.people.map(\.name) == ["owner"] && first.problem == nil && first.asOf == house.clock.now)
            let asked = phone.transport.requests.count
            _ = try await phone.replica.answer(people)
            #expect(phone.transport.requests.count == asked, "it is fresh")
            _ = try await phone.replica.answer(people, atMost: 0)
            #expect(phone.transport.requests.count == asked + 1, "whoever wants to know now is told now")

            phone.transport.setCondition(.unreachable)
            house.clock.advance(by: 3600)
            let old = try await phone.replica.answer(people)
            #expect(old.value.total == 1 && old.asOf == first.asOf)
            #expect(old.problem == .noConnection(host: "localhost"))
            house.clock.advance(by: people.staleLifetime)
            await #expect(throws: ClientError.noConnection(host: "localhost")) { try await phone.replica.answer(people) }
        }
    }

    @Test("After a restart only high-priority answers are cached")
    func restarted() async throws {
        try await withHouse { house, line in
            try await withFile { file in
                let phone = try await TestPhone.signedIn(to: house, over: line, file: file)
                let passing = CacheableQuery<PeopleAnswer>("people/passing", priority: .normal) { client, _ in
                    try await client.people.list()
                }
                _ = try await phone.replica.answer(.people)
                _ = try await phone.replica.answer(passing)
                phone.transport.setCondition(.unreachable)
                #expect(try await phone.replica.answer(passing).value.total == 1)
                try await phone.replica.close()
                let again = try phone.restarted()
                #expect(try await again.replica.answer(.people, atMost: 0).value.total == 1)
                await #expect(throws: ClientError.noConnection(host: "localhost")) { try await again.replica.answer(passing) }
            }
        }
    }

    @Test("The cache file contains no readable text")
    func sealed() async throws {
        try await withHouse { house, line in
            try await withFile { file in
                let phone = try await TestPhone.signedIn(to: house, over: line, file: file)
                _ = try await phone.replica.answer(.people)
                try await phone.replica.close()
                let names = try FileManager.default.contentsOfDirectory(
                    at: file.deletingLastPathComponent(), includingPropertiesForKeys: nil)
                for name in names {
                    let bytes = try Data(contentsOf: name)
                    for word in ["owner", "people"] {
                        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(name.lastPathComponent)")
                    }
                }
            }
        }
    }

    @Test("An answer that may no longer be seen is not shown")
    func takenBack() async throws {
        try await withHouse { house, line in
            let owner = try await TestPhone.signedIn(to: house, over: line)
            let ben = try await owner.client.people.invite(name: "Ben", role: "member")
            _ = try await owner.replica.answer(.people)
            try await owner.replica.sync()
            // A person's permissions change: perhaps one's own.
            _ = try await owner.client.people.change(ben.person.personID, ChangePersonBody(name: "Benjamin"))
            try await owner.replica.sync()
            owner.transport.setCondition(.unreachable)
            await #expect(throws: ClientError.noConnection(host: "localhost")) { try await owner.replica.answer(.people) }
        }
    }

    @Test("Prefetching caches answers for offline use and requests only permitted ones")
    func readAhead() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            for screen in PrefetchedScreen.allCases { #expect(try await phone.replica.prefetch(for: screen) > 0, "\(screen)") }
            let asked = phone.transport.requests
            #expect(asked.contains("GET /api/v1/energy") && asked.contains("GET /api/v1/devices/hall-sensor/history"))
            #expect(asked.contains("GET /api/v1/people") && asked.contains("GET /api/v1/auth/sessions"))
            phone.transport.setCondition(.unreachable)
            #expect(try await phone.replica.answer(.energy(last: 86_400)).value.readings.isEmpty)
            #expect(try await phone.replica.answer(.history(of: "hall-sensor", last: 86_400)).value.deviceID == "hall-sensor")
            #expect(try await phone.replica.answer(.sessions).value.sessions.contains { $0.current })
            // The house's memories were once shown only in the very list that had been opened.
            #expect(asked.contains("GET /api/v1/consciousness/status") && asked.contains { $0.hasPrefix("GET /api/v1/memory") })
            #expect(try await phone.replica.answer(.mood).value.awarenessLevel <= 1)
            #expect(try await phone.replica.answer(.memories(.init(limit: 20))).value.memories.count <= 20)
            #expect(try await phone.replica.prefetch(for: .guests) == 0, "nobody hears of a reading ahead that came to nothing")
        }
    }

    @Test("Memory pressure drops low-priority answers and keeps the others")
    func pressure() async throws {
        try await withHouse { house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            let low = CacheableQuery<PeopleAnswer>("people/low", priority: .low) { client, _ in try await client.people.list() }
            for pressure in [MemoryPressure.warning, .critical] {
                phone.transport.setCondition(.clear)
                _ = try await phone.replica.answer(low)
                _ = try await phone.replica.answer(.people)
                try await phone.replica.handleMemoryPressure(pressure)
                phone.transport.setCondition(.unreachable)
                await #expect(throws: ClientError.noConnection(host: "localhost")) { try await phone.replica.answer(low) }
                #expect(try await phone.replica.answer(.people).value.total == 1)
                #expect(try await phone.replica.devices().value.count == 4)
            }
        }
    }

    @Test("Memory pressure notifications can be observed and end with the observation")
    func listening() async {
        let listening = Task {
            for await _ in MemoryPressure.events() {}
        }
        listening.cancel()
        await listening.value
    }
}
