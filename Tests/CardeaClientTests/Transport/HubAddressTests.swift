import CardeaClient
import Testing

@Suite("Tokens go over https, or stay on this machine")
struct HubAddressTests {
    @Test(
        "What a person types is understood",
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
        "Plain http to another machine is refused",
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
        "What is no address is refused",
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
