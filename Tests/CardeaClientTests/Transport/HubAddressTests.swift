import CardeaClient
import Testing

@Suite("Hub addresses require HTTPS except on loopback")
struct HubAddressTests {
    @Test(
        "A typed address is parsed",
        arguments: [
            ("https://house.example", "https://house.example"), ("house.example:8443", "https://house.example:8443"),
            (" https://house.example/ ", "https://house.example"), ("https://house.example/cardea/", "https://house.example/cardea"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("localhost:8080", "http://localhost:8080"),
            ("http://[::1]:8080/", "http://[::1]:8080"), ("HTTPS://House.example", "https://House.example"),
            ("tür.example", "https://xn--tr-xka.example"),
        ])
    func understood(typed: String, address: String) throws {
        #expect(try HubAddress(typed).description == address)
    }

    @Test(
        "Plain HTTP to another machine is refused",
        arguments: [
            "http://house.example", "http://192.168.1.5:8080", "http://127.0.0.1.example.com", "http://localhost.example.com",
            "http://127.1", "http://0.0.0.0:80",
        ])
    func refused(typed: String) throws {
        do {
            _ = try HubAddress(typed)
            Issue.record("\(typed) was taken")
        } catch .insecureConnection {
        }
    }

    @Test(
        "An invalid address is refused",
        arguments: [
            "", "ftp://house.example", "https://", "https://resident:secret@house.example", "https://house.example/?q",
            "https://house.example/#x",
            "https://house example",
        ])
    func invalid(typed: String) throws {
        do {
            _ = try HubAddress(typed)
            Issue.record("\(typed) was taken")
        } catch .invalidURL {
        }
    }
}
