import Foundation

#if canImport(Darwin)
    import dnssd
#else
    import CDNSSD
#endif

/// Services on the local network, through this machine's daemon: Avahi on Linux, mDNSResponder on Apple's systems (RFC 6762, RFC 6763).
///
/// Each call lasts as long as its stream is held, and ends with `DNSSDError` if the daemon is not there or ends. Results must not be
/// trusted: anyone on the network can send anything.
public enum DNSSD {
    /// A network interface by its number; all of them.
    public static let anyInterface: UInt32 = 0

    /// One service by its name on the network.
    public struct Instance: Hashable, Sendable {
        public let name: String
        public let type: String
        public let domain: String
        public let interface: UInt32

        public init(name: String, type: String, domain: String, interface: UInt32) {
            self.name = name
            self.type = type
            self.domain = domain
            self.interface = interface
        }
    }

    public enum BrowseEvent: Hashable, Sendable {
        case found(Instance)
        case gone(Instance)
    }

    /// The location of a service, with its TXT record.
    public struct Endpoint: Hashable, Sendable {
        /// A name such as `house.local`, without the dot at the end.
        public let host: String
        public let port: UInt16
        public let text: TXTRecord

        public init(host: String, port: UInt16, text: TXTRecord) {
            self.host = host
            self.port = port
            self.text = text
        }
    }

    /// Announces a service for as long as the stream is held. Yields the name under which it is known: another one if the requested name
    /// was taken, and again after every change.
    ///
    /// - Parameters:
    ///   - name: at most 63 bytes.
    ///   - type: such as `_cardea._tcp`.
    public static func register(
        name: String, type: String, port: UInt16, text: TXTRecord, interface: UInt32 = anyInterface
    ) -> AsyncThrowingStream<String, any Error> {
        let record = text.bytes
        return DNSServiceQuery<String>.answers { service, context in
            DNSServiceRegister(
                &service, 0, interface, name, type, nil, nil, port.bigEndian, UInt16(clamping: record.count), record,
                { _, _, code, name, _, _, context in
                    DNSServiceQuery<String>.instance(context)?.yield(code) { name.map { String(cString: $0) } }
                }, context)
        }
    }

    /// The services of a type, as they come and go.
    public static func browse(type: String, interface: UInt32 = anyInterface) -> AsyncThrowingStream<BrowseEvent, any Error> {
        DNSServiceQuery<BrowseEvent>.answers { service, context in
            DNSServiceBrowse(
                &service, 0, interface, type, nil,
                { _, flags, interface, code, name, type, domain, context in
                    DNSServiceQuery<BrowseEvent>.instance(context)?.yield(code) {
                        guard let name, let type, let domain else { return nil }
                        let instance = Instance(
                            name: String(cString: name), type: String(cString: type), domain: String(cString: domain), interface: interface)
                        return flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0 ? .found(instance) : .gone(instance)
                    }
                }, context)
        }
    }

    /// Resolves a service to its location; yields again whenever that changes.
    public static func resolve(_ instance: Instance) -> AsyncThrowingStream<Endpoint, any Error> {
        DNSServiceQuery<Endpoint>.answers { service, context in
            DNSServiceResolve(
                &service, 0, instance.interface, instance.name, instance.type, instance.domain,
                { _, _, _, code, _, host, port, length, text, context in
                    DNSServiceQuery<Endpoint>.instance(context)?.yield(code) {
                        guard let host else { return nil }
                        let name = String(cString: host)
                        let record = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(length))
                        return Endpoint(
                            host: name.hasSuffix(".") ? String(name.dropLast()) : name, port: UInt16(bigEndian: port),
                            text: TXTRecord(decoding: record))
                    }
                }, context)
        }
    }

    /// The addresses of a host nearby, as text: IPv4, or IPv6 that needs no interface to be named with it.
    public static func addresses(
        of host: String, version: IPVersion, interface: UInt32 = anyInterface
    ) -> AsyncThrowingStream<String, any Error> {
        DNSServiceQuery<String>.answers { service, context in
            DNSServiceQueryRecord(
                &service, 0, interface, host, version.record, UInt16(kDNSServiceClass_IN),
                { _, flags, _, code, _, _, _, length, data, _, context in
                    DNSServiceQuery<String>.instance(context)?.yield(code) {
                        guard flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0, let data else { return nil }
                        return IPVersion.text(Array(UnsafeRawBufferPointer(start: data, count: Int(length))))
                    }
                }, context)
        }
    }

    public enum IPVersion: CaseIterable, Sendable {
        case v4, v6

        fileprivate var record: UInt16 { UInt16(self == .v4 ? kDNSServiceType_A : kDNSServiceType_AAAA) }

        /// Nil for an invalid address, and for a link-local IPv6 address.
        static func text(_ bytes: [UInt8]) -> String? {
            switch bytes.count {
            case 4: return bytes.map { String($0) }.joined(separator: ".")
            case 16 where !(bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80):
                return stride(from: 0, to: 16, by: 2)
                    .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
            default: return nil
            }
        }
    }
}
