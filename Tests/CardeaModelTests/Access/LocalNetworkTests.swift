import CardeaModel
import Testing

@Suite("Local network addresses")
struct LocalNetworkTests {
    @Test(
        "Loopback, private, unique local and link-local addresses are local",
        arguments: [
            "127.0.0.1", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.9.9", "192.168.1.20", "169.254.1.1", "::1", "fe80::1",
            "fe80::1%eth0", "fd12:3456::1", "fc00::1", "::ffff:192.168.0.1", "FE80::1",
        ])
    func ours(address: String) {
        #expect(LocalNetwork.contains(address))
    }

    @Test(
        "All other addresses and malformed ones are not local",
        arguments: [
            "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.169.0.1", "2001:db8::1", "::", "::ffff:8.8.8.8", "", "localhost", "10.0.0",
            "10.0.0.256",
            "10.0.0.1.1", "0x7f.0.0.1", "fec0::1", "１０.0.0.1", "::ffff:192.168.0.1.evil", "999.1.1.1", ":", "%", "12345::1",
        ])
    func strangers(address: String) {
        #expect(!LocalNetwork.contains(address))
    }
}
