import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import GRDB
import Testing

@testable import CardeaHub

@Suite("Usernames that differ only in width or case are equal", .serialized, .timeLimit(.minutes(5)))
struct UserNameTests {
    @Test(
        "A username is normalized",
        arguments: [
            ("Ren\u{E9}", "ren\u{E9}"), ("Rene\u{301}", "ren\u{E9}"), (" anna ", "anna"),
            ("\u{FF21}\u{FF4E}\u{FF4E}\u{FF41}", "anna"), ("anna\u{FF0E}b\u{FF11}", "anna.b1"),
            ("\u{FF76}\u{FF9E}\u{FF92}\u{FF97}", "\u{30AC}\u{30E1}\u{30E9}"), ("Stra\u{DF}e", "stra\u{DF}e"),
        ])
    func prepared(_ typed: String, _ prepared: String) {
        #expect(Array(UserName.prepared(typed).utf8) == Array(prepared.utf8))
        #expect(UserName.candidates(typed).last.map { Array($0.utf8) } == Array(prepared.utf8))
        #expect(UserName.candidates(prepared).count == 1)
    }

    @Test("A full-width username conflicts with its ordinary form, and either form signs in")
    func taken() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        _ = try await house.resident("\u{FF21}nna", role: "member", by: owner)

        await #expect(throws: People.PersonError.self) { try await house.resident("anna", role: "member", by: owner) }
        await #expect(throws: People.PersonError.self) { try await house.resident("\u{FF4F}wner", role: "member", by: owner) }
        for typed in ["anna", "ANNA", "\u{FF41}\u{FF4E}na"] {
            _ = try await house.hub.sessions.login(username: typed, password: TestHouse.password, origin: .house)
        }
    }

    @Test("Older usernames are normalized at start; colliding ones keep their exact forms")
    func older() async throws {
        let store = try Store.inMemory()
        let sealing = SealingKey.random()
        let first = try await TestHouse.make(store: store, sealing: sealing)
        let (owner, _) = try await first.claim()
        for name in ["anna", "wide", "alone"] { _ = try await first.resident(name, role: "member", by: owner) }
        try await store.write { db in
            for (name, former) in [("wide", "\u{FF41}nna"), ("alone", "\u{FF42}en")] {
                try db.execute(
                    sql: """
                        UPDATE people SET username = sealed(:former, 'people.username', id), username_mark = marked(:former, 'people.username')
                        WHERE username_mark = marked(:name, 'people.username')
                        """, arguments: ["former": former, "name": name])
            }
        }

        let house = try await TestHouse.make(store: store, sealing: sealing, clock: first.clock)

        let names = try await store.read { db in
            try String.fetchAll(db, sql: "SELECT opened(username, 'people.username', id) FROM people ORDER BY 1")
        }
        #expect(Set(names.map { Array($0.utf8) }) == Set(["anna", "ben", "owner", "\u{FF41}nna"].map { Array($0.utf8) }))
        func person(_ typed: String) async throws -> String? {
            let tokens = try await house.hub.sessions.login(username: typed, password: TestHouse.password, origin: .house)
            return try await house.hub.sessions.authenticate(tokens.access).personID
        }
        let (anna, wide) = (try await person("anna"), try await person("\u{FF41}nna"))
        #expect(anna != wide)
        // No user name has exactly that form: it means the ordinary one.
        let typed = try await person("\u{FF21}\u{FF2E}NA")
        #expect(typed == anna)
        let (ben, wideBen) = (try await person("ben"), try await person("\u{FF42}en"))
        #expect(ben == wideBen)
    }
}
