import CardeaModel
import CardeaNetwork
import NIOCore

/// The public addresses of push services. A name is resolved for each connection, and the checked address is the one that is used.
struct PublicHostResolver: Sendable {
    enum HostError: Error, Hashable {
        case unknownHost
        /// None of its addresses is public; the rule that the first one breaks.
        case notPublic(PublicAddressPolicy.Refusal)
    }

    /// The number of addresses of one name that are tried.
    static let limit = 3

    /// Looks a name up.
    var resolve: @Sendable (_ host: String) async throws -> [HostAddress] = { try await HostAddress.all(of: $0, port: 443) }
    /// The reason why an address is not connected to; nil if it is allowed.
    var refusal: @Sendable (_ bytes: [UInt8]) -> PublicAddressPolicy.Refusal? = {
        PublicAddressPolicy.refusal($0, own: PublicHostResolver.localAddresses())
    }

    /// The public addresses of the host, in the order in which to try them.
    func addresses(of host: String) async throws(HostError) -> [String] {
        let found: [HostAddress]
        do { found = try await resolve(host) } catch { throw .unknownHost }
        var broken: PublicAddressPolicy.Refusal?
        var addresses: [String] = []
        for candidate in found {
            if let rule = refusal(candidate.bytes) {
                broken = broken ?? rule
            } else if let text = candidate.socket.ipAddress {
                addresses.append(text)
            }
        }
        guard addresses.isEmpty else { return Array(addresses.prefix(Self.limit)) }
        throw broken.map { .notPublic($0) } ?? .unknownHost
    }

    /// This machine's addresses as they are now.
    private static func localAddresses() -> Set<[UInt8]> {
        Set(((try? System.enumerateDevices()) ?? []).compactMap { $0.address.flatMap(HostAddress.init)?.bytes })
    }
}
