import CardeaModel
import Testing

@Suite("Parsing and comparison of IP addresses")
struct IPAddressTests {
    @Test(
        "Every notation of an address is normalised to one",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"), ("::1", "::1"),
            ("0:0:0:0:0:0:0:1", "::1"), ("2001:DB8::0:1", "2001:db8::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("fe80::1%eth0", "fe80::1"), ("::", "::"), ("0.0.0.0", "0.0.0.0"),
        ])
    func written(text: String, once: String) {
        #expect(IPAddress(text)?.description == once)
        #expect(IPAddress(once) == IPAddress(text))
    }

    @Test(
        "Invalid addresses are rejected",
        arguments: [
            "", " ", "localhost", "door.example", "10.0.0", "10.0.0.1.1", "10.0.0.256", "010.0.0.1", "0x7f.0.0.1", "2130706433",
            "1.2.3.4%eth0",
            "1.2.3.4:80", "[::1]", "::1]", "12345::1", ":", "%", "fe80::1%", "::ffff:192.0.2.1.evil", "１０.0.0.1", "1.2.3.4 ", "1.2.3.4\0",
            "::1/128", "1.2.3.4/8", "unknown",
        ])
    func strangers(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "A proxy's address is parsed with and without a port",
        arguments: [
            ("203.0.113.8", "203.0.113.8"), ("203.0.113.8:50000", "203.0.113.8"), (" 203.0.113.8 ", "203.0.113.8"),
            ("\"[2001:db8::1]:4711\"", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"), ("2001:db8::1", "2001:db8::1"),
            ("[::ffff:203.0.113.8]:1", "203.0.113.8"), ("::ffff:203.0.113.8", "203.0.113.8"), ("\"203.0.113.8\"", "203.0.113.8"),
        ])
    func forwarded(text: String, address: String) {
        #expect(IPAddress(forwarded: text)?.description == address)
    }

    @Test(
        "Obfuscated and unreadable addresses are rejected",
        arguments: [
            "", "unknown", "_hidden", "203.0.113.8:", "203.0.113.8:port", "203.0.113.8:123456", ":80", "[203.0.113.8]:80", "[2001:db8::1",
            "[2001:db8::1]x", "[2001:db8::1]:", "door.example:80", "\"", "203.0.113.8, 10.0.0.1", "for=203.0.113.8",
        ])
    func hidden(text: String) {
        #expect(IPAddress(forwarded: text) == nil)
    }

    @Test(
        "Addresses of one IPv6 network are counted together; local addresses are counted one by one",
        arguments: [
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
            ("203.0.113.8", "203.0.113.8"), ("::ffff:203.0.113.8", "203.0.113.8"), ("fd00::1", "fd00::1"), ("fe80::1%eth0", "fe80::1"),
            ("::1", "::1"),
        ])
    func networks(text: String, network: String) {
        #expect(IPAddress(text)?.network == network)
    }

    @Test("A range contains addresses by prefix, or one address, in IPv4 and mapped notation")
    func ranges() throws {
        for (range, inside, outside) in [
            ("127.0.0.0/8", ["127.0.0.1", "127.255.255.255", "::ffff:127.0.0.9"], ["128.0.0.1", "126.255.255.255", "::1", "::127.0.0.1"]),
            ("172.16.0.0/12", ["172.16.0.1", "172.31.255.255"], ["172.15.255.255", "172.32.0.0"]),
            ("10.1.2.3/8", ["10.9.9.9"], ["11.1.2.3"]), ("192.0.2.1", ["192.0.2.1", "::ffff:192.0.2.1"], ["192.0.2.2"]),
            ("192.0.2.1/32", ["192.0.2.1"], ["192.0.2.0"]), ("0.0.0.0/0", ["8.8.8.8"], ["2001:db8::1"]),
            ("::ffff:127.0.0.0/104", ["127.0.0.1"], ["128.0.0.1", "::1"]), ("::1", ["::1", "0:0:0:0:0:0:0:1"], ["::2", "127.0.0.1"]),
            ("fd00::/8", ["fd12:3456::1"], ["fc00::1", "fe80::1"]), ("2001:db8::/33", ["2001:db8:7fff::1"], ["2001:db8:8000::1"]),
            ("::/0", ["2001:db8::1"], ["192.0.2.1"]),
        ] {
            let range = try #require(AddressRange(range), "\(range)")
            for text in inside { #expect(range.contains(try #require(IPAddress(text))), "\(text)") }
            for text in outside { #expect(!range.contains(try #require(IPAddress(text))), "\(text)") }
        }
        for none in [
            "localhost", "nonsense", "", "[::1]", "/8", "127.0.0.1/", "127.0.0.1/33", "127.0.0.1/-1", "127.0.0.1/8/8", "::1/129",
            "fe80::1%eth0", "::ffff:1.2.3.4/95",
            "127.0.0.1/0x8", "127.0.0.1:80", "127.0.0.1/٨",
        ] { #expect(AddressRange(none) == nil, "\(none)") }
    }
}
