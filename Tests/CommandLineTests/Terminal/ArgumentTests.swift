import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import Testing

@testable import cardea

@Suite("Command-line arguments")
struct ArgumentTests {
    private func parse<Command: ParsableCommand>(_ line: String, as _: Command.Type = Command.self) throws -> Command {
        try #require(try Cardea.parseAsRoot(line.split(separator: " ").map(String.init)) as? Command)
    }

    @Test(
        "Invalid arguments are refused before any request is sent",
        arguments: [
            "fly", "open front-door back-door", "guests invite Plumber", "guests invite Plumber --door x --until 18:00 --for 4h",
            "guests invite Plumber --door x --for soon", "guests invite Plumber --door x --uses -1",
            "guests invite Plumber --door x --days mon", "guests invite Plumber --door x --days moonday --for 4w",
            "people change ben", "explain front-door unlock", "explain --guest a --person b front-door unlock", "completions tcsh",
            "login --password hunter2", "devices control hall-light", "presence work", "presence home --unlink",
            "presence --link person.ann --unlink",
        ])
    func nonsense(line: String) {
        #expect(throws: (any Error).self) { try Cardea.parseAsRoot(line.split(separator: " ").map(String.init)) }
    }

    @Test("A secret code as an argument is refused and not repeated in the error")
    func codeAsArgument() {
        do {
            _ = try Cardea.parseAsRoot(["pair", "cardea_gl_verysecret"])
            Issue.record("a code was taken from the command line")
        } catch {
            #expect(!Cardea.fullMessage(for: error).contains("verysecret"))
            #expect(Cardea.exitCode(for: error) != .success)
        }
    }

    @Test("A command without a subcommand runs its default")
    func defaults() throws {
        let _: DevicesListCommand = try parse("devices")
        let _: GuestsListCommand = try parse("guests --json")
        let _: PeopleListCommand = try parse("people")
        let presence: PresenceCommand = try parse("presence")
        #expect(presence.place == nil && presence.link == nil && !presence.unlink)
        let login: LoginCommand = try parse("login --url https://house.example --username ada --password-stdin")
        #expect(login.hub.hub == "https://house.example")
    }

    @Test("An invitation is encoded as the hub's request body")
    func invitation() throws {
        let command: GuestInviteCommand = try parse(
            "guests invite Plumber --door front-door --from 16:00 --until 18:00 --uses 2 --days mon-fri --between 9-12 --local-only")
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let now = try #require(Timestamp.date("2026-11-21T14:31:00Z"))

        let body = try command.pass.body(
            name: command.name, grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])], zone: zone, now: now)

        let written = String(decoding: try WireFormat.encode(body), as: UTF8.self)
        #expect(
            written
                == #"{"expires_at":"2026-11-21T17:00:00.000Z","grants":[{"actions":["door.open"],"device_id":"front-door"}],"local_only":true,"#
                + #""max_uses":2,"name":"Plumber","schedule":{"days":["mon","tue","wed","thu","fri"],"from":"09:00","to":"12:00"},"#
                + #""starts_at":"2026-11-21T15:00:00.000Z"}"#)
        #expect(try WireFormat.readBody(InviteGuestBody.self, from: Data(written.utf8)).maxUses == 2)
    }

    @Test("An expired pass is refused before creation")
    func over() throws {
        let command: GuestInviteCommand = try parse("guests invite Plumber --door front-door --from 9:00 --until 12:00")
        let now = try #require(Timestamp.date("2026-11-21T14:31:00Z"))

        #expect(throws: CommandLineError.self) { try command.pass.body(name: "Plumber", grants: [], zone: .gmt, now: now) }
    }

    @Test("A link gives its hub and its kind")
    func links() throws {
        let pass = try ParsedLink("https://house.example/g#cardea_gl_x", page: "g")
        #expect(pass.hub?.description == "https://house.example" && pass.code.reveal() == "cardea_gl_x")
        #expect(try ParsedLink("https://house.example/cardea/claim#t", page: "claim").hub?.description == "https://house.example/cardea")
        #expect(try ParsedLink("7KQ2 M9PX RT", page: "g").hub == nil)
        #expect(throws: CommandLineError.self) { try ParsedLink("https://house.example/g", page: "g") }
        #expect(throws: CommandLineError.self) { try ParsedLink("https://house.example/join#t", page: "g") }
        #expect(throws: ClientError.self) { try ParsedLink("http://house.example/g#t", page: "g") }
    }

    @Test("A link within a sentence, a mailing or a messenger's text keeps its hub and code")
    func surroundedLinks() throws {
        let token = TokenKind.invitation.rawValue + String(repeating: "a", count: 43)
        for text in [
            "Join us: <https://house.example/join#\(token)>. See you", "https://house.example/join?utm_source=mail#\(token)&fbclid=x",
            "https://house.example/join/#\(token)%E2%80%8B", "https://house.example/join%23\(token)?utm_source=mail",
        ] {
            let pasted = try ParsedLink(text, page: "join")
            #expect(pasted.hub?.description == "https://house.example" && pasted.pins.isEmpty, "\(text)")
            #expect(try pasted.token(.invitation).reveal() == token, "\(text)")
        }
        let cut = try ParsedLink("https://house.example/join#\(token.dropLast())", page: "join")
        #expect(throws: CommandLineError.self) { try cut.token(.invitation) }
        #expect(throws: CommandLineError.self) { try ParsedLink(token, page: "join").token(.claim) }
    }

    @Test("A claim link contains the hub's keys, and a truncated one is reported")
    func keysInLinks() throws {
        let keys = [UInt8(1), 251].map { Pin(digest: Data(repeating: $0, count: 32)) }
        let link = ClaimLink(url: "https://house.example", token: "cardea_ct_x", pins: keys.map(\.description)).web
        let pasted = try ParsedLink(link, page: "claim")
        #expect(pasted.code.reveal() == "cardea_ct_x" && pasted.pins == Set(keys) && pasted.hub?.description == "https://house.example")
        #expect(try ParsedLink(link.replacing("&", with: "&amp;"), page: "claim").pins == Set(keys))
        #expect(try ParsedLink("https://house.example/claim#t&of=now", page: "claim").pins.isEmpty)
        #expect(try ParsedLink(link.replacing("/claim#", with: "/g#"), page: "g").pins.isEmpty, "a stranger's link trusts nobody")
        for cut in [link.dropLast(), link.dropLast(20)] {
            #expect(throws: CommandLineError.self) { try ParsedLink(String(cut), page: "claim") }
        }
        #expect(throws: CommandLineError.self) { try ParsedLink("https://house.example/claim#&pin=x", page: "claim") }
    }

    @Test("An item is found by id, name or unique prefix")
    func names() throws {
        let things = [("front-door", "Front door"), ("garage", "Garage"), ("hall-light", "Hall"), ("hall-motion", "Hall motion")]
        func find(_ wanted: String) throws -> String {
            try NameResolver.resolve(wanted, among: things, what: "device", ids: { [$0.0] }, name: { $0.1 }).0
        }
        #expect(try find("front-door") == "front-door")
        #expect(try find("FRONT DOOR") == "front-door")
        #expect(try find("gar") == "garage")
        #expect(try find("hall") == "hall-light")
        #expect(try find("motion") == "hall-motion")
        #expect(throws: CommandLineError.self) { try find("ha") }
        #expect(throws: CommandLineError.self) { try find("cellar") }
        #expect(throws: CommandLineError.self) { try find("") }
    }

    @Test("A value is parsed as JSON if valid, else as text")
    func values() {
        #expect(ParsedValue(argument: "40")?.json == 40)
        #expect(ParsedValue(argument: "off")?.json == "off")
        #expect(ParsedValue(argument: #"{"temperature":2700}"#)?.json == ["temperature": 2700])
        #expect(ParsedValue(argument: "nan")?.json == "nan")
    }

    @Test(
        "Each outcome has a stable exit status",
        arguments: [
            (403, "forbidden", cardea.ExitStatus.refused), (401, "token_max_uses_exceeded", .refused),
            (401, "invalid_credentials", .refused),
            (401, "unauthorized", .notSignedIn), (429, "rate_limited", .tryLater), (503, "service_unavailable", .tryLater),
            (507, "insufficient_storage", .tryLater),
            (504, "outcome_unknown", .unknown), (409, "in_flight", .tryLater), (409, "last_owner", .refused),
            (500, "internal_error", .refused),
        ])
    func statuses(status: Int, code: String, expected: cardea.ExitStatus) {
        let words = RefusalText(HouseClock(zone: .gmt, now: Date()))
        #expect(CommandLineError(APIError(status: status, code: code, message: "No."), words: words).status == expected)
    }

    @Test("A JSON error has the same content as the text")
    func wire() throws {
        var failure = CommandLineError.refused("used_up", "This pass is used up.")
        failure.requestID = "req-1"
        failure.retryAfter = .seconds(3)
        let text = String(decoding: try WireFormat.encode(failure.jsonBody), as: UTF8.self)
        #expect(
            text == #"{"error":{"code":"used_up","details":{},"message":"This pass is used up.","request_id":"req-1","retry_after":3}}"#)
    }

    @Test("Every supported shell has a completion script", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let command: CompletionsCommand = try parse("completions \(shell)")
        #expect(command.shell.rawValue == shell)
        #expect(Cardea.completionScript(for: .bash).contains("front-door") == false)
    }
}
