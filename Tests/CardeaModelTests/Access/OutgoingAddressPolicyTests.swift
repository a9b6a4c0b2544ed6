import CardeaModel
import Foundation
import Testing

@Suite("Policy for outgoing connections")
struct OutgoingAddressPolicyTests {
    /// The octets of an address in text form.
    private func octets(_ text: String) throws -> [UInt8] {
        let (family, count) = text.contains(":") ? (AF_INET6, 16) : (AF_INET, 4)
        var octets = [UInt8](repeating: 0, count: count)
        try #require(inet_pton(family, text, &octets) == 1, "\(text) is no address")
        return octets
    }

    @Test(
        "Local cameras and public addresses are allowed",
        arguments: [
            "192.168.1.20", "10.0.0.1", "172.16.4.4", "100.64.0.7", "1.1.1.1", "126.255.255.255", "128.0.0.1", "169.253.255.255",
            "169.255.0.1", "170.254.0.1", "223.255.255.255", "fd12:3456::20", "fc00::1", "2001:db8::1", "2606:4700::1111", "fec0::1",
            "fd00:ec2::255", "fd00:ec2:1::254",
        ])
    func allowed(address: String) throws {
        #expect(OutgoingAddressPolicy.refusal(try octets(address)) == nil)
    }

    @Test("The hub's own addresses are allowed only by explicit setting", arguments: ["127.0.0.1", "127.255.255.254", "::1"])
    func loopback(address: String) throws {
        #expect(OutgoingAddressPolicy.refusal(try octets(address)) == .loopback)
        #expect(OutgoingAddressPolicy.refusal(try octets(address), allowsLoopback: true) == nil)
    }

    @Test(
        "Link-local, unspecified, multicast and broadcast addresses are refused",
        arguments: [
            ("169.254.169.254", OutgoingAddressPolicy.Refusal.linkLocal), ("169.254.0.0", .linkLocal), ("169.254.255.255", .linkLocal),
            ("fe80::1", .linkLocal), ("febf:ffff::1", .linkLocal), ("0.0.0.0", .unspecified), ("0.1.2.3", .unspecified),
            ("::", .unspecified), ("::2", .unspecified), ("224.0.0.1", .multicast), ("239.255.255.250", .multicast),
            ("240.0.0.1", .multicast), ("255.255.255.255", .multicast), ("ff02::1", .multicast), ("ff0e::1", .multicast),
        ])
    func refused(address: String, why: OutgoingAddressPolicy.Refusal) throws {
        #expect(OutgoingAddressPolicy.refusal(try octets(address)) == why)
        #expect(OutgoingAddressPolicy.refusal(try octets(address), allowsLoopback: true) == why)
    }

    @Test("The unique local address of a cloud metadata service is refused")
    func metadata() throws {
        #expect(OutgoingAddressPolicy.refusal(try octets("fd00:ec2::254")) == .linkLocal)
    }

    @Test(
        "An IPv4 address embedded in IPv6 is judged as IPv4",
        arguments: [
            // Mapped.
            ("::ffff:127.0.0.1", OutgoingAddressPolicy.Refusal?.some(.loopback)), ("::ffff:169.254.169.254", .linkLocal),
            ("::ffff:0.0.0.0", .unspecified), ("::ffff:192.168.1.20", nil),
            // Compatible.
            ("::127.0.0.1", .loopback), ("::169.254.169.254", .linkLocal), ("::192.168.1.20", nil),
            // 6to4.
            ("2002:7f00:1::", .loopback), ("2002:a9fe:a9fe::1", .linkLocal), ("2002:c0a8:114::1", nil),
            // NAT64.
            ("64:ff9b::127.0.0.1", .loopback), ("64:ff9b::169.254.169.254", .linkLocal), ("64:ff9b::192.168.1.20", nil),
            // Similar to an embedded address, but none.
            ("::ff00:127.0.0.1", nil), ("::fffe:127.0.0.1", nil), ("::1:0:127.0.0.1", nil), ("2003:7f00:1::", nil),
        ])
    func coats(address: String, why: OutgoingAddressPolicy.Refusal?) throws {
        #expect(OutgoingAddressPolicy.refusal(try octets(address)) == why)
        let ofLoopback = OutgoingAddressPolicy.refusal(try octets(address), allowsLoopback: true)
        #expect(ofLoopback == (why == .loopback ? nil : why))
    }

    @Test("An address of neither 4 nor 16 octets is refused", arguments: [0, 1, 3, 5, 15, 17])
    func unknown(count: Int) {
        #expect(OutgoingAddressPolicy.refusal([UInt8](repeating: 10, count: count)) == .unknown)
        #expect(OutgoingAddressPolicy.refusal([UInt8](repeating: 10, count: count), allowsLoopback: true) == .unknown)
    }
}
