import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaSecurity

@Suite("DPoP proofs")
struct DPoPProofTests {
    /// RFC 9449, figure 2.
    private static let published = [
        "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMi"
            + "LCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19",
        "eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ",
        "2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg",
    ].joined(separator: ".")

    private static let url = "https://cardea.example/api/v1/auth/refresh"

    @Test("The published proof is parsed with the published thumbprint")
    func vector() throws {
        let proof = try DPoPProof(Self.published)

        #expect(proof.method == "POST")
        #expect(proof.url == "https://server.example.com/token")
        #expect(proof.nonce == nil)
        // RFC 9449, section 6.1.
        #expect(Base64URL.encode(proof.thumbprint) == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    }

    @Test("A proof states its request and nonce, and a key has one thumbprint")
    func readBack() throws {
        let key = BrowserKey()
        let proof = try DPoPProof(key.proof(url: Self.url, nonce: "n-1"))

        #expect(proof.method == "POST" && proof.url == Self.url && proof.nonce == "n-1")
        #expect(try DPoPProof(key.proof(url: Self.url)).thumbprint == proof.thumbprint)
        #expect(try DPoPProof(BrowserKey().proof(url: Self.url)).thumbprint != proof.thumbprint)
    }

    @Test(
        "Another type, another algorithm and `none` are refused",
        arguments: [
            (["typ": "JWT"], [:]), (["alg": "none"], [:]), (["alg": "HS256"], [:]), ([:], ["jti": ""]),
            ([:], ["jti": String(repeating: "j", count: 129)]), ([:], ["htu": String(repeating: "u", count: 2048)]),
        ] as [([String: String], [String: String])])
    func refused(header: [String: String], claims: [String: String]) throws {
        let text = try BrowserKey().proof(url: Self.url, header: header, claims: claims)
        #expect(throws: DPoPProof.ProofError.invalid) { try DPoPProof(text) }
    }

    @Test("A proof with any change is refused without a crash", arguments: 0..<64)
    func altered(turn: Int) throws {
        var dice = XorshiftGenerator.forTest(UInt64(turn) + 9449)
        var bytes = Array(Self.published.utf8)
        let place = dice.next(bytes.count)
        switch turn % 3 {
        case 0: bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        case 1: bytes.remove(at: place)
        default: bytes = Array(bytes.prefix(place))
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(throws: DPoPProof.ProofError.invalid) { try DPoPProof(text) }
    }
}
