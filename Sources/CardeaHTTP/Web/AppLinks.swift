import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The apps that the house's tags open in, instead of a browser: universal links on Apple's phones, app links on Android's.
///
/// A phone asks for these files at the public address itself, with a certificate that it trusts. Without an app a tag opens the page, which
/// does the same.
public struct AppLinks: Hashable, Sendable {
    /// Apple's app ids: the team's ten characters, a dot, and the bundle id.
    public var appleIDs: [String]
    /// Android's packages, each with the SHA-256 of the certificate that signs it.
    public var androidApps: [AndroidApp]

    public struct AndroidApp: Hashable, Sendable {
        public let package: String
        /// 32 octets as `AB:CD:…`, in capitals.
        public let fingerprint: String

        /// - Parameter text: `package=fingerprint`, the latter as `keytool` and `apksigner` print it.
        public init?(_ text: String) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, AppLinks.isName(parts[0]), parts[0].contains(".") else { return nil }
            let octets = parts[1].uppercased().split(separator: ":", omittingEmptySubsequences: false)
            guard octets.count == 32, octets.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
            package = String(parts[0])
            fingerprint = octets.joined(separator: ":")
        }
    }

    public init(appleIDs: [String] = [], androidApps: [AndroidApp] = []) {
        self.appleIDs = appleIDs
        self.androidApps = androidApps
    }

    /// Returns whether the text is a team and a bundle, such as `ABCDE12345.org.example.door`.
    public static func isAppleID(_ text: String) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 10 && isName(parts[0]) && isName(parts[1])
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { "._-".utf8.contains($0) || isAlphanumeric($0) }
    }

    private static func isAlphanumeric(_ octet: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet | 0x20)
    }

    /// Apple, "Supporting associated domains": tag links open in the app, and no other link of the house does.
    var appleAppSiteAssociation: JSONValue {
        ["applinks": ["details": [["appIDs": .array(appleIDs.map(JSONValue.string)), "components": [["/": "/t/*"]]]]]]
    }

    /// Google, "Digital Asset Links": statement list.
    var assetLinks: JSONValue {
        .array(
            androidApps.map { app in
                [
                    "relation": ["delegate_permission/common.handle_all_urls"],
                    "target": [
                        "namespace": "android_app", "package_name": .string(app.package),
                        "sha256_cert_fingerprints": [.string(app.fingerprint)],
                    ],
                ]
            })
    }

    func addRoutes(to table: RouteTable) {
        if !appleIDs.isEmpty { table.page("/.well-known/apple-app-site-association") { _, _ in try Self.answer(appleAppSiteAssociation) } }
        if !androidApps.isEmpty { table.page("/.well-known/assetlinks.json") { _, _ in try Self.answer(assetLinks) } }
    }

    private static func answer(_ value: JSONValue) throws -> Response {
        let data = try JSONEncoder().encode(value)
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "max-age=3600"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }
}
