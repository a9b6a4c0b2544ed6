import CardeaModel
import Foundation
import Testing

@Suite("Addresses of the public internet")
struct PublicAddressPolicyTests {
    /// The octets of an address in text form.
    private func octets(_ text: String) throws -> [UInt8] {
        let (family, count) = text.contains(":") ? (AF_INET6, 16) : (AF_INET, 4)
        var octets = [UInt8](repeating: 0, count: count)
        try #require(inet_pton(family, text, &octets) == 1, "\(text) is no address")
        return octets
    }

    @Test(
        "Public addresses are allowed",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255",
            "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.0", "192.167.255.255", "192.169.0.0",
            "198.17.255.255", "198.20.0.0", "198.51.99.0", "203.0.112.0", "223.255.255.255", "2001:200::1", "2001:db7::1", "2001:db9::1",
            "2606:4700::1111", "2a00:1450:4001::a", "3ffe::1", "3fff:1000::1", "2000::1",
            // NAT64, 6to4 and mapped, around a public address.
            "64:ff9b::1.1.1.1", "2002:101:101::1", "::ffff:1.1.1.1",
        ])
    func allowed(address: String) throws {
        #expect(PublicAddressPolicy.refusal(try octets(address)) == nil)
    }

    @Test(
        "Other addresses are refused by the rule that they break",
        arguments: [
            ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("::1", .loopback),
            ("10.0.0.0", .privateNetwork), ("10.255.255.255", .privateNetwork), ("172.16.0.0", .privateNetwork),
            ("172.31.255.255", .privateNetwork), ("192.168.0.0", .privateNetwork), ("192.168.255.255", .privateNetwork),
            ("100.64.0.0", .carrierNAT), ("100.127.255.255", .carrierNAT), ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal),
            ("febf::1", .linkLocal), ("fc00::1", .uniqueLocal), ("fdff::1", .uniqueLocal), ("fd00:ec2::254", .uniqueLocal),
            ("224.0.0.0", .multicast), ("239.255.255.255", .multicast), ("ff02::1", .multicast), ("0.0.0.0", .unspecified),
            ("0.255.255.255", .unspecified), ("::", .unspecified), ("240.0.0.0", .reserved), ("255.255.255.255", .reserved),
            ("192.0.0.1", .reserved), ("192.0.2.1", .reserved), ("192.88.99.1", .reserved), ("198.18.0.0", .reserved),
            ("198.19.255.255", .reserved), ("198.51.100.1", .reserved), ("203.0.113.1", .reserved), ("2001::1", .reserved),
            ("2001:1ff::1", .reserved), ("2001:db8::1", .reserved), ("3fff::1", .reserved), ("3fff:fff::1", .reserved),
            ("::2", .reserved), ("::1.1.1.1", .reserved), ("100::1", .reserved), ("64:ff9b:1::1", .reserved), ("4000::1", .reserved),
            ("fec0::1", .reserved), ("1fff::1", .reserved),
            // NAT64, 6to4 and mapped, around an address that is not public.
            ("::ffff:127.0.0.1", .loopback), ("::ffff:192.168.1.1", .privateNetwork), ("::ffff:169.254.169.254", .linkLocal),
            ("64:ff9b::10.0.0.1", .privateNetwork), ("64:ff9b::127.0.0.1", .loopback), ("2002:7f00:1::1", .loopback),
            ("2002:c0a8:101::1", .privateNetwork), ("2002:6440:1::1", .carrierNAT),
        ] as [(String, PublicAddressPolicy.Refusal)])
    func refused(address: String, why: PublicAddressPolicy.Refusal) throws {
        #expect(PublicAddressPolicy.refusal(try octets(address)) == why)
    }

    @Test(
        "The hub's own addresses are refused, also inside others",
        arguments: ["9.9.9.9", "::ffff:9.9.9.9", "2002:909:909::1", "2606::9"])
    func own(address: String) throws {
        let own: Set = [try octets("9.9.9.9"), try octets("2606::9"), try octets("192.168.1.2")]
        #expect(PublicAddressPolicy.refusal(try octets(address)) == nil)
        #expect(PublicAddressPolicy.refusal(try octets(address), own: own) == .own)
        #expect(PublicAddressPolicy.refusal(try octets("192.168.1.2"), own: own) == .privateNetwork)
        #expect(PublicAddressPolicy.refusal(try octets("9.9.9.8"), own: own) == nil)
    }

    @Test("Other numbers of octets are refused", arguments: [0, 1, 3, 5, 15, 17])
    func unknown(count: Int) {
        #expect(PublicAddressPolicy.refusal([UInt8](repeating: 1, count: count)) == .unknown)
    }
}
