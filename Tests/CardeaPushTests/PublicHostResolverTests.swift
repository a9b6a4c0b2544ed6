import AsyncHTTPClient
import CardeaModel
import CardeaNetwork
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

@testable import CardeaPush

/// A name server that gives one answer after the other, the last one forever.
private final class ScriptedResolver: Sendable {
    private let state: Mutex<(answers: [[String]], asked: [String])>

    init(_ answers: [String]...) { state = Mutex((answers: answers, asked: [])) }

    var asked: [String] { state.withLock { $0.asked } }

    func lookUp(_ host: String) throws -> [HostAddress] {
        let addresses = state.withLock { state in
            state.asked.append(host)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers.first ?? []
        }
        return try addresses.compactMap { HostAddress(try SocketAddress(ipAddress: $0, port: 443)) }
    }
}

@Suite("Push services at public addresses")
struct PublicHostResolverTests {
    private func addresses(_ answers: [String]) async throws(PublicHostResolver.HostError) -> [String] {
        let names = ScriptedResolver(answers)
        return try await PublicHostResolver(resolve: { try names.lookUp($0) }).addresses(of: "push.example.org")
    }

    @Test("Public addresses are tried in resolver order, three at most")
    func order() async throws {
        #expect(try await addresses(["1.1.1.1"]) == ["1.1.1.1"])
        #expect(try await addresses(["2606:4700::1111", "1.1.1.1"]) == ["2606:4700::1111", "1.1.1.1"])
        #expect(try await addresses(["9.9.9.1", "9.9.9.2", "9.9.9.3", "9.9.9.4"]) == ["9.9.9.1", "9.9.9.2", "9.9.9.3"])
    }

    @Test("Addresses that are not public are omitted")
    func mixed() async throws {
        #expect(try await addresses(["192.168.1.1", "1.1.1.1", "127.0.0.1", "::1", "fd00::1"]) == ["1.1.1.1"])
    }

    @Test(
        "A name without a public address is refused by the rule that its first address breaks",
        arguments: [
            (["127.0.0.1"], .loopback), (["::1"], .loopback), (["192.168.1.1"], .privateNetwork),
            (["10.0.0.1", "127.0.0.1"], .privateNetwork),
            (["100.64.0.1"], .carrierNAT), (["169.254.169.254"], .linkLocal), (["fe80::1"], .linkLocal), (["fd00::1"], .uniqueLocal),
            (["224.0.0.1"], .multicast), (["0.0.0.0"], .unspecified), (["203.0.113.1"], .reserved), (["::ffff:10.0.0.1"], .privateNetwork),
        ] as [([String], PublicAddressPolicy.Refusal)])
    func refused(answers: [String], rule: PublicAddressPolicy.Refusal) async {
        await #expect(throws: PublicHostResolver.HostError.notPublic(rule)) { try await addresses(answers) }
    }

    @Test("An unknown name has no address")
    func unknown() async {
        await #expect(throws: PublicHostResolver.HostError.unknownHost) { try await addresses([]) }
        await #expect(throws: PublicHostResolver.HostError.unknownHost) { try await addresses(["no address"]) }
    }

    @Test("The machine's own addresses are refused")
    func own() throws {
        let own = try System.enumerateDevices().compactMap { $0.address.flatMap { HostAddress($0) }?.bytes }
        #expect(!own.isEmpty)
        for address in own { #expect(PublicHostResolver().refusal(address) != nil) }
    }
}

@Suite("Connections to push services", .timeLimit(.minutes(5)))
struct PublicConnectionTests {
    private static let host = "push.example.org"

    /// Runs `body` with a service on 127.0.0.1 and a client to which loopback counts as public.
    private func serving(
        _ names: ScriptedResolver, _ body: @escaping @Sendable (PushClient, HTTPClientRequest, RequestedNames) async throws -> Void
    ) async throws {
        let seen = RequestedNames()
        let router = Router()
        router.post("x") { request, _ in
            seen.append(request.head.authority ?? "")
            return Response(status: .created)
        }
        let hosts = PublicHostResolver(
            resolve: { try names.lookUp($0) }, refusal: { $0.first == 127 ? nil : PublicAddressPolicy.refusal($0) })
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0))).test(.live) { live in
            var request = HTTPClientRequest(url: "http://\(Self.host):\(live.port ?? 0)/x")
            request.method = .POST
            let client = try PushClient(timeout: .seconds(120), hosts: hosts, logger: Logger(label: "push"))
            do { try await body(client, request, seen) } catch {
                try await client.shutdown()
                throw error
            }
            try await client.shutdown()
        }
    }

    @Test("The checked address is connected to, and TLS uses the service's name")
    func judged() async throws {
        let names = ScriptedResolver(["127.0.0.1"])
        try await serving(names) { client, request, seen in
            #expect(await client.send(request, to: "push", at: Self.host)?.status == .created)
            #expect(seen.all.count == 1 && seen.all.allSatisfy { $0.hasPrefix(Self.host + ":") })
            #expect(names.asked == [Self.host])
        }
    }

    @Test("A name is resolved and checked again for each connection")
    func rebound() async throws {
        try await serving(ScriptedResolver(["127.0.0.1"], ["192.168.1.1"], ["127.0.0.1"])) { client, request, seen in
            #expect(await client.send(request, to: "push", at: Self.host)?.status == .created)
            #expect(await client.send(request, to: "push", at: Self.host) == nil)
            #expect(seen.all.count == 1)
            #expect(await client.send(request, to: "push", at: Self.host)?.status == .created)
            #expect(seen.all.count == 2)
        }
    }

    @Test("After an unreachable address the next one is tried")
    func next() async throws {
        try await serving(ScriptedResolver(["127.0.0.2", "127.0.0.1"])) { client, request, seen in
            #expect(await client.send(request, to: "push", at: Self.host)?.status == .created)
            #expect(seen.all.count == 1)
        }
    }

    @Test("Nothing is sent if no address is reachable")
    func away() async throws {
        try await serving(ScriptedResolver(["127.0.0.2", "127.0.0.3"])) { client, request, seen in
            #expect(await client.send(request, to: "push", at: Self.host) == nil)
            #expect(seen.all.isEmpty)
        }
    }

    @Test("Loopback is refused although a service listens there")
    func loopback() async throws {
        try await serving(ScriptedResolver(["127.0.0.1"])) { _, request, seen in
            let names = ScriptedResolver(["127.0.0.1"])
            let client = try PushClient(
                timeout: .seconds(120), hosts: PublicHostResolver(resolve: { try names.lookUp($0) }), logger: Logger(label: "push"))
            let answer = await client.send(request, to: "push", at: Self.host)
            try await client.shutdown()
            #expect(answer == nil && seen.all.isEmpty && names.asked == [Self.host])
        }
    }
}

/// The host names used for the service.
private final class RequestedNames: Sendable {
    private let names = Mutex([String]())

    var all: [String] { names.withLock { $0 } }

    func append(_ name: String) { names.withLock { $0.append(name) } }
}
