import CardeaModel
import Foundation
import Testing

@Suite("Session rules")
struct SessionRuleTests {
    @Test(
        "A user agent becomes a readable browser name",
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
                "Safari on iPhone"
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36",
                "Chrome on Android"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0",
                "Edge on Windows"
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
                "Safari on Mac"
            ),
            ("cardea/1", "The cardea command line"), ("curl/7.88.1", "curl"), ("", "Unknown device"), ("x", "Unknown device"),
            (String(repeating: "Z", count: 100_000) + "Firefox/1", "Unknown device"),
        ])
    func words(agent: String, words: String) {
        #expect(UserAgentText.text(userAgent: agent) == words)
        #expect(UserAgentText.text(userAgent: nil) == "Unknown device")
    }

    @Test("A step-up is fresh for five minutes, and a clock set back does not extend it")
    func fresh() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        for (age, isFresh) in [(0.0, true), (299.9, true), (300, false), (-59, true), (-61, false), (86_400, false)] {
            #expect(StepUp.isFresh(now.addingTimeInterval(-age), at: now) == isFresh, "\(age)")
        }
        #expect(!StepUp.isFresh(nil, at: now))
    }

    @Test("A narrowed grant allows the intersection, and a role's refusal still applies")
    func narrowed() {
        func request(_ verb: Verb, _ entity: String = "lock.front", secure: Bool = false) -> Gate.Request {
            Gate.Request(
                deviceID: entity == "lock.front" ? "front" : "back", entityID: entity, verb: verb, risk: .open, isSecurityDevice: secure,
                isGuestAccessible: false, isLocal: true)
        }
        var grant = Grant(
            id: "token:t", scope: .role(.member, disabled: false),
            only: [.init(deviceID: "front", entityID: "lock.front", verbs: [.unlock])])
        let now = Date(timeIntervalSince1970: 0)
        func decide(_ request: Gate.Request) -> Gate.Decision { Gate.decide(request, by: grant, at: now, zone: .gmt) }
        #expect(decide(request(.unlock)) == .allow)
        #expect(decide(request(.lock)) == .deny(.actionNotAllowed))
        #expect(decide(request(.unlock, "lock.back")) == .deny(.deviceNotInScope))
        #expect(decide(request(.unlock, secure: true)) == .deny(.securityDevice))
        grant.scope = .role(.guest, disabled: false)
        #expect(decide(request(.unlock)) == .deny(.roleLacksRight))
        grant.scope = .role(.owner, disabled: true)
        #expect(decide(request(.unlock)) == .deny(.noGrant))
        #expect(Role.allCases.sorted() == [.guest, .member, .admin, .owner])
    }
}
