import CardeaSecurity
import Crypto
import CryptoExtras
import Foundation

/// Touches of tags and live links verified per second, from the link's text on, compared with the bare primitives: AES-CMAC over one block,
/// and HMAC-SHA256 over as much text.
enum TagBenchmark {
    private static let count = 100_000
    private static let meta = "8a2f11c07de39b54600177be9d21f4aa"
    private static let file = "51c2de0f9b7746a8d3e1f0026b3c99fe"
    /// A first touch of the tag 04A1B2C3D4E5F6 with these keys.
    private static let touch = "https://house.example/t/?picc_data=F0012BED0817F05B789F88EC784BC8C3&cmac=88BD952EA502A07B"

    static func run(_ report: inout Report) throws {
        print("Tags")
        let touches = try touches()
        let codes = try bare { key in
            var code = try AES.CMAC(key: key)
            code.update(data: Data(count: 16))
            return Data(code.finalize())
        }
        report.figure("touches verified", touches, "/s")
        report.figure("codes of AES-CMAC", codes, "/s")
        report.ratio("tag_touches_to_bare_cmac", touches / codes)

        let links = try links()
        let text = Data("idx=0&ts=1795269600".utf8)
        let signatures = bare { key in Data(HMAC<SHA256>.authenticationCode(for: text, using: key)) }
        report.figure("live links verified", links, "/s")
        report.figure("codes of HMAC-SHA256", signatures, "/s")
        report.ratio("live_links_to_bare_hmac", links / signatures)
    }

    private static func touches() throws -> Double {
        let keys = SUNKeys(meta: try TagKey(hex: Secret(meta)), file: try TagKey(hex: Secret(file)))
        var believed = 0
        let duration = try ContinuousClock().measure {
            for _ in 0..<count {
                guard case .touch(_, let values) = try TagLink(touch), let message = try keys.message(values) else { continue }
                let touch = try message.touch(keys.meta)
                try message.check(touch, keys.file)
                believed += Int(touch.counter)
            }
        }
        precondition(believed == count, "not every touch was believed")
        return rate(of: count, in: duration)
    }

    private static func links() throws -> Double {
        let (secret, now) = (ButtonSecret.make(), Date(timeIntervalSince1970: 1_795_269_600))
        let text = "\(SignedActionLink.scheme)://action?\(SignedActionLink.query(index: 0, at: now, secret).reveal())"
        let duration = try ContinuousClock().measure {
            for _ in 0..<count { try SignedActionLink(text).check(secret, at: now) }
        }
        return rate(of: count, in: duration)
    }

    private static func bare(_ code: (SymmetricKey) throws -> Data) rethrows -> Double {
        let key = SymmetricKey(size: .bits128)
        var octets = 0
        let duration = try ContinuousClock().measure {
            for _ in 0..<count { octets += try code(key).count }
        }
        precondition(octets > 0)
        return rate(of: count, in: duration)
    }
}
