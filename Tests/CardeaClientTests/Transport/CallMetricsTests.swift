import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation
import Synchronization
import Testing

@Suite("Call metrics, conditional requests and paging")
struct CallMetricsTests {
    private final class RecordingMetricsDelegate: CallMetricsDelegate {
        private let taken = Mutex<[CallMetrics]>([])
        var all: [CallMetrics] { taken.withLock(\.self) }
        func didComplete(_ metrics: CallMetrics) { taken.withLock { $0.append(metrics) } }
    }

    private func client(_ hub: ScriptedTransport, _ notes: RecordingMetricsDelegate? = nil, as number: Int = 1) throws -> CardeaClient {
        let environment = ClientEnvironment(now: { Date() }, sleep: { _ in }, newKey: { UUID().uuidString })
        return CardeaClient(
            hub: try HubAddress("https://house.example"), transport: hub, sessions: MemorySessionStore(.number(number)), resilience: .none,
            environment: environment, metrics: notes)
    }

    @Test("Each exchange is measured without identifying data")
    func measured() async throws {
        let notes = RecordingMetricsDelegate()
        let hub = ScriptedTransport { _, before in before == 0 ? .failure(.interrupted) : .success(RequestPipelineTests.confirmed) }
        _ = try await client(hub, notes).devices.control(DeviceCommand("front-door", "unlock"))
        #expect(notes.all.map(\.endpoint) == ["/api/v1/devices/{id}/control", "/api/v1/devices/{id}/control"])
        #expect(notes.all.map(\.method) == [.put, .put] && notes.all.map(\.status) == [nil, 200])
        #expect(notes.all.map(\.error) == [.interrupted, nil])
        #expect(notes.all.allSatisfy { $0.requestSize == 19 && $0.duration >= .zero })
        #expect(notes.all.last?.responseSize == RequestPipelineTests.confirmed.body.count && notes.all.first?.responseSize == nil)
        #expect(!"\(notes.all)".contains("front-door"))
    }

    @Test("An unchanged resource is not sent again, and no session sees another's cached response")
    func conditional() async throws {
        let people = TransportResponse.json(200, #"{"people":[],"total":0}"#, ["etag": "\"1\""])
        let hub = ScriptedTransport { request, _ in
            .success(request.headers["if-none-match"] == "\"1\"" ? TransportResponse(status: 304, headers: ["etag": "\"1\""]) : people)
        }
        let one = try client(hub)
        for _ in 0..<3 { #expect(try await one.people.list().total == 0) }
        #expect(hub.requests.map { $0.headers["if-none-match"] } == [nil, "\"1\"", "\"1\""])
        _ = try await client(hub, as: 2).people.list()
        #expect(hub.requests.last?.headers["if-none-match"] == nil)
    }

    @Test("An unrequested 304 is an invalid response")
    func unasked() async throws {
        let hub = ScriptedTransport { _, _ in .success(TransportResponse(status: 304)) }
        await #expect(throws: ClientError.self) { _ = try await client(hub).people.list() }
    }

    @Test("Pages are fetched one by one, and only as many as are read")
    func pages() async throws {
        let hub = ScriptedTransport { request, before in
            let entry =
                #"{"id":\#(10 - before),"at":"2026-11-21T14:31:07.250Z","who":{"kind":"system"},"action":"key.make","result":"done"}"#
            let next = before < 4 ? #","next_before":\#(10 - before)"# : ""
            return .success(.json(200, #"{"entries":[\#(entry)]\#(next)}"#))
        }
        var ids: [Int] = []
        for try await entry in try client(hub).access.entries(.init(limit: 1)) { ids.append(entry.id) }
        #expect(ids == [10, 9, 8, 7, 6])
        #expect(hub.requests.map { $0.url.query() ?? "" }.last == "limit=1&before=7")
        for try await _ in try client(hub).access.entries() { break }
        #expect(hub.requests.count == 6)
    }
}
