import CardeaHub
import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import Testing

@testable import CardeaPush

@Suite("Web Push encryption")
struct WebPushEncryptionTests {
    /// RFC 8291, section 5 and appendix A.
    private enum RFC8291Example {
        static let text = "When I grow up, I want to be a watermelon"
        static let sender = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let receiver = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
        static let authentication = "BTBZMqHH6r4Tts7J_aSIgg"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let body =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    }

    private func published() throws -> (browser: FakeBrowser, sender: P256.KeyAgreement.PrivateKey) {
        let receiver = try #require(Base64URL.decode(RFC8291Example.receiver))
        let authentication = try #require(Base64URL.decode(RFC8291Example.authentication))
        let sender = try #require(Base64URL.decode(RFC8291Example.sender))
        return (
            FakeBrowser(key: try .init(rawRepresentation: receiver), authentication: authentication), try .init(rawRepresentation: sender)
        )
    }

    @Test("RFC 8291's example is reproduced octet for octet and decrypted")
    func example() throws {
        let (browser, sender) = try published()
        let salt = try #require(Base64URL.decode(RFC8291Example.salt))

        let sealed = try WebPushEncryption.seal(
            Data(RFC8291Example.text.utf8), to: browser.keys, grain: 1, sender: sender, salt: salt)

        #expect(Base64URL.encode(sealed) == RFC8291Example.body)
        #expect(String(decoding: try browser.open(sealed), as: UTF8.self) == RFC8291Example.text)
    }

    @Test("Messages up to the maximum decrypt equal, are padded, and fit every service")
    func lengths() throws {
        let browser = FakeBrowser()
        let keys = try browser.keys
        var sizes: Set<Int> = []
        for count in [0, 1, 17, 511, 512, 513, 3072, 3584, 3585, 3992, 3993] {
            let text = Data((0..<count).map { UInt8($0 % 251) })
            let sealed = try WebPushEncryption.seal(text, to: keys)
            #expect(try browser.open(sealed) == text, "\(count)")
            #expect(sealed.count <= 4096)
            sizes.insert(sealed.count)
        }
        #expect(sizes.count <= 9)
        #expect(throws: WebPushEncryption.EncryptionError.self) { try WebPushEncryption.seal(Data(count: 3994), to: keys) }
    }

    @Test("Each encryption differs, and no other browser decrypts it")
    func others() throws {
        let (browser, other) = (FakeBrowser(), FakeBrowser())
        let one = try WebPushEncryption.seal(Data("door".utf8), to: browser.keys)
        let two = try WebPushEncryption.seal(Data("door".utf8), to: browser.keys)
        #expect(one != two && one.prefix(16) != two.prefix(16))
        #expect(throws: (any Error).self) { try other.open(one) }
        #expect(throws: (any Error).self) { try FakeBrowser(key: browser.key).open(one) }
        for place in [0, 20, 30, 90, one.count - 1] {
            var changed = one
            changed[place] ^= 1
            #expect(throws: (any Error).self, "octet \(place)") { try browser.open(changed) }
        }
    }
}

@Suite("Web Push subscription addresses")
struct WebPushSubscriptionTests {
    /// The rule that an address breaks; nil for an allowed one.
    private func broken(_ endpoint: String, services: PushServicePolicy = PushServicePolicy()) throws -> PushServicePolicy.AddressError? {
        let keys = try FakeBrowser().keys
        do throws(PushServicePolicy.AddressError) {
            _ = try WebPushSubscription(endpoint: endpoint, keys: keys, services: services)
            return nil
        } catch { return error }
    }

    @Test(
        "Push services over HTTPS on port 443 at a DNS name are accepted",
        arguments: [
            ("https://fcm.googleapis.com/fcm/send/c:APA91b-_x", "https://fcm.googleapis.com"),
            ("https://updates.push.services.mozilla.com/wpush/v2/x", "https://updates.push.services.mozilla.com"),
            ("https://web.push.apple.com/x", "https://web.push.apple.com"),
            ("https://wns2-par02p.notify.windows.com/w/?token=x%3d%2b", "https://wns2-par02p.notify.windows.com"),
            ("https://push.example.org", "https://push.example.org"),
            ("https://xn--bcher-kva.example/a//b?c?d", "https://xn--bcher-kva.example"),
            ("https://1.2.3.example.org/x", "https://1.2.3.example.org"),
        ])
    func known(endpoint: String, service: String) throws {
        let subscription = try FakeBrowser().subscription(at: endpoint)
        #expect(subscription.service == service && subscription.host.map { "https://" + $0 } == service)
        #expect(subscription.endpoint.reveal() == endpoint && subscription.url.reveal() == endpoint)
    }

    @Test("The host is normalised to lowercase without a port")
    func written() throws {
        let subscription = try FakeBrowser().subscription(at: "HTTPS://FCM.GoogleAPIs.com:443/X?Y=Z")
        #expect(subscription.url.reveal() == "https://fcm.googleapis.com/X?Y=Z" && subscription.host == "fcm.googleapis.com")
        #expect(subscription.endpoint.reveal() == "HTTPS://FCM.GoogleAPIs.com:443/X?Y=Z")
    }

    @Test(
        "Push services allowed by the household are accepted at any address",
        arguments: ["https://push.example.org", "http://127.0.0.1:8399", "http://nas"])
    func own(origin: String) throws {
        #expect(PushServicePolicy.isOrigin(origin))
        let subscription = try FakeBrowser().subscription(at: origin + "/up/x", services: PushServicePolicy(others: [origin]))
        #expect(subscription.service == origin && subscription.host == nil && subscription.url.reveal() == origin + "/up/x")
    }

    @Test(
        "A custom push service is configured by its origin alone",
        arguments: [
            "", "push.example.org", "https://", "https://push.example.org/", "https://push.example.org/x", "https://u@push.example.org",
        ])
    func noOrigin(text: String) {
        #expect(!PushServicePolicy.isOrigin(text))
    }

    @Test(
        "Other addresses are refused by the rule that they break",
        arguments: [
            ("", .notURL), ("x", .notURL), ("https:///x", .notURL), ("file:///etc/passwd", .notURL),
            ("http://fcm.googleapis.com/x", .notHTTPS), ("http://localhost/x", .notHTTPS), ("ftp://push.example.net/x", .notHTTPS),
            ("http://push.example.org/x", .notHTTPS), ("https://fcm.googleapis.com:8443/x", .otherPort),
            ("https://push.example.org:444/x", .otherPort), ("https://push.example.net:80/x", .otherPort),
            ("https://fcm.googleapis.com@192.168.1.1/x", .credentials), ("https://a:b@push.example.net/x", .credentials),
            ("https://fcm.googleapis.com/x#y", .fragment), ("https://192.168.1.1/x", .notDNSName),
            ("https://169.254.169.254/latest", .notDNSName), ("https://1.1.1.1/x", .notDNSName), ("https://2130706433/x", .notDNSName),
            ("https://127.1/x", .notDNSName), ("https://0x7f.1/x", .notDNSName), ("https://1.0x7f/x", .notDNSName),
            ("https://push.017/x", .notDNSName), ("https://[::1]/x", .notDNSName), ("https://[::ffff:192.168.1.1]/x", .notDNSName),
            ("https://localhost/x", .notDNSName), ("https://nas/x", .notDNSName), ("https://push.example.net./x", .notDNSName),
            ("https://push..example.net/x", .notDNSName), ("https://-push.example.net/x", .notDNSName),
            ("https://push-.example.net/x", .notDNSName), ("https://push_1.example.net/x", .notDNSName),
            ("https://" + String(repeating: "a", count: 64) + ".example.net/x", .notDNSName),
            ("https://" + String(repeating: "a.", count: 126) + "example/x", .notDNSName),
            ("https://fcm.googleapis.com/" + String(repeating: "x", count: 2048), .tooLong),
        ] as [(String, PushServicePolicy.AddressError)])
    func others(endpoint: String, rule: PushServicePolicy.AddressError) throws {
        #expect(try broken(endpoint, services: PushServicePolicy(others: ["https://push.example.org"])) == rule)
    }

    @Test("The hub's own names are refused, unless the household allows a push service there")
    func ownNames() throws {
        let own: Set = ["House.example.org"]
        #expect(try broken("https://house.example.org/api/v1/push", services: PushServicePolicy(own: own)) == .ownName)
        #expect(
            try broken("https://house.example.org/x", services: PushServicePolicy(others: ["https://house.example.org"], own: own)) == nil)
        #expect(try broken("https://push.house.example.org/x", services: PushServicePolicy(own: own)) == nil)
    }

    @Test(
        "An address with an ambiguous host is refused",
        arguments: [
            "https://192.168.1.1%2F.push.apple.com/x", "https://192.168.1.1\\.push.apple.com/x", "https://192.168.1.1%00.push.apple.com/x",
            "https://push%2Eexample.net/x", "https://push.example.net%20/x",
        ])
    func twoHosts(endpoint: String) throws {
        #expect(try broken(endpoint) != nil)
    }

    @Test("Invalid keys are refused, each with its own error")
    func keys() throws {
        func problem(key: String? = nil, authentication: String? = nil) -> PushKeys.KeyError? {
            let browser = FakeBrowser()
            do throws(PushKeys.KeyError) {
                _ = try PushKeys(
                    key: key ?? Base64URL.encode(browser.key.publicKey.x963Representation),
                    authentication: authentication ?? Base64URL.encode(browser.authentication))
                return nil
            } catch { return error }
        }
        let offTheCurve = Base64URL.encode(Data([4]) + Data(repeating: 7, count: 64))
        for key in ["", "BA", offTheCurve, Base64URL.encode(P256.KeyAgreement.PrivateKey().publicKey.compressedRepresentation)] {
            #expect(problem(key: key) == .key, "\(key)")
        }
        for authentication in ["", "AAAA", Base64URL.encode(Data(count: 15)), Base64URL.encode(Data(count: 17)), "a+b/"] {
            #expect(problem(authentication: authentication) == .authentication, "\(authentication)")
        }
        // As some libraries encode it.
        #expect(problem(authentication: Data(count: 16).base64EncodedString()) == nil)
    }

    @Test("A printed subscription reveals no secret")
    func printed() throws {
        let subscription = try FakeBrowser().subscription(at: "https://fcm.googleapis.com/fcm/send/private-part")
        #expect(!"\(subscription)".contains("private-part"))
    }

    @Test("Random input is refused without a crash")
    func fuzzed() throws {
        let keys = try FakeBrowser().keys
        var dice = XorshiftGenerator.forTest(30)
        let alphabet = Array("abchtps:/.@#?[]%-_=0123456789 é\u{0}\u{202E}".unicodeScalars)
        for _ in 0..<5000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<dice.next(60) { text.append(alphabet[dice.next(alphabet.count)]) }
            if let made = try? WebPushSubscription(endpoint: "https://" + String(text), keys: keys, services: PushServicePolicy()) {
                let host = try #require(made.host, "seed \(dice.seed)")
                #expect(made.service == "https://" + host && URL(string: made.url.reveal())?.host() == host, "seed \(dice.seed)")
            }
            #expect(throws: PushKeys.KeyError.self, "seed \(dice.seed)") {
                try PushKeys(key: String(text), authentication: String(text))
            }
            #expect(ApplePushSubscription(token: String(text), keys: nil) == nil, "seed \(dice.seed)")
        }
    }
}
