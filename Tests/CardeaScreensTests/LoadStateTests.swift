import CardeaClient
import CardeaModel
import CardeaSync
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaScreens

@Suite("Load states of screens", .timeLimit(.minutes(10)))
struct LoadStateTests {
    private let now = Date(timeIntervalSince1970: 1_795_269_600)
    private let away = UserFacingError(title: "No internet connection", text: "No connection to the house.", canRetry: true)

    private func shown(_ devices: [String], seen ago: TimeInterval?, _ problem: UserFacingError? = nil) -> LoadState<[String]> {
        LoadState(Dated(devices, asOf: ago.map { now.addingTimeInterval(-$0) }), problem, at: now, isEmpty: \.isEmpty)
    }

    @Test("Before the first sync there is no content, and after a failure there is a reason")
    func nothingKnown() {
        #expect(shown([], seen: nil) == .loading)
        #expect(shown([], seen: nil, away) == .failed(away))
    }

    @Test("A fresh answer is shown as ready, and an empty one as empty")
    func justHeard() {
        #expect(shown(["lamp"], seen: 0) == .ready(["lamp"]))
        #expect(shown([], seen: 0) == .empty)
    }

    @Test("Content older than two sync intervals, or after a failure, is shown with its age")
    func old() {
        #expect(shown(["lamp"], seen: 60) == .ready(["lamp"]))
        #expect(shown(["lamp"], seen: 61) == .stale(["lamp"], asOf: now.addingTimeInterval(-61), why: nil))
        #expect(shown(["lamp"], seen: 1, away) == .stale(["lamp"], asOf: now.addingTimeInterval(-1), why: away))
        #expect(shown([], seen: 300, away) == .stale([], asOf: now.addingTimeInterval(-300), why: away))
    }

    @Test("A phone clock set back does not make content stale")
    func setBack() {
        #expect(shown(["lamp"], seen: -3600) == .ready(["lamp"]))
    }

    @Test("Mapping keeps the load state")
    func mapped() {
        let all: [LoadState<Int>] = [.loading, .empty, .ready(1), .stale(1, asOf: now, why: away), .failed(away)]
        let doubled: [LoadState<Int>] = [.loading, .empty, .ready(2), .stale(2, asOf: now, why: away), .failed(away)]
        #expect(all.map { $0.map { $0 * 2 } } == doubled)
        let maybe: [LoadState<Int?>] = [
            .loading, .empty, .ready(1), .ready(nil), .stale(1, asOf: now, why: nil), .stale(nil, asOf: now, why: away),
        ]
        #expect(maybe.map { $0.unwrapped() } == [.loading, .empty, .ready(1), .empty, .stale(1, asOf: now, why: nil), .empty])
        #expect(LoadState<Int?>.failed(away).unwrapped() == .failed(away))
        #expect(all.map(\.content) == [nil, nil, 1, 1, nil])
        #expect(all.map(\.problem) == [nil, nil, nil, away, away])
    }

    @Test("An error states its cause, and whether a retry or a sign-in helps")
    func problems() throws {
        let lost = try #require(UserFacingError(ClientError.noConnection(host: "house.test")))
        #expect(lost.title == "No internet connection" && lost.canRetry && !lost.requiresSignIn)
        let ended = try #require(UserFacingError(ClientError.unauthorized))
        #expect(ended.title == "Authentication required" && !ended.canRetry && ended.requiresSignIn)
        let frozen = try #require(UserFacingError(OfflineQueueError.unresolvedConflict("Study")))
        #expect(frozen.text.hasPrefix("Study was changed here and elsewhere.") && !frozen.text.contains("`"))
        let door = try #require(UserFacingError(OfflineQueueError.door("Front door")))
        #expect(door.text.contains("Commands to doors are never queued"))
        #expect(try #require(UserFacingError(away)) == away)
        let refused = APIError(status: 403, code: "forbidden", message: "no", details: ["reason": "no_grant"])
        let words = RefusalText(HouseClock(zone: .gmt, now: now))
        let no = try #require(UserFacingError(ClientError.api(refused), words: words))
        #expect(no.title == "Not done" && no.text == "You may not do this here. An owner can give you the right.")
        #expect(UserFacingError(GuestAccessError.refused(refused), words: words) == no)
        #expect(UserFacingError(GuestAccessError.outcomeUnknown(nil))?.title == "Not sure")
        #expect(UserFacingError(CocoaError(.fileReadNoPermission))?.canRetry == true)
    }

    @Test("Cancellation shows no error")
    func gone() {
        #expect(UserFacingError(CancellationError()) == nil)
        #expect(UserFacingError(ClientError.cancelled) == nil)
        #expect(UserFacingError(GuestAccessError.client(.cancelled)) == nil)
    }

    @Test("A load overtaken by a later one is discarded")
    @MainActor func overtaken() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let answers = DelayedFirstLoad()
            let look = ContentLoader(phone.replica, now: { house.clock.now }, isEmpty: { _ in false }) { replica in
                Dated(await answers.next(), asOf: house.clock.now)
            }
            async let early: Void = look.refresh()
            try await waitUntil { await answers.isHeld }
            await look.refresh()
            #expect(look.state == .ready(3) && look.isRefreshing)
            await answers.release()
            await early
            #expect(look.state == .ready(3) && !look.isRefreshing)
        }
    }

    @Test("A load is shown if the later one was cancelled before it ended")
    @MainActor func notOvertaken() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let answers = DelayedFirstLoad()
            let look = ContentLoader(phone.replica, now: { house.clock.now }, isEmpty: { _ in false }) { replica in
                Dated(await answers.next(), asOf: house.clock.now)
            }
            async let early: Void = look.refresh()
            try await waitUntil { await answers.isHeld }
            let later = Task { await look.refresh() }
            later.cancel()
            await later.value
            #expect(look.state == .loading)
            await answers.release()
            await early
            #expect(look.state.content != nil && !look.isRefreshing)
        }
    }

    @Test("An unreadable local store is reported, and loading can be retried")
    @MainActor func unreadable() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let look = ContentLoader<Int>(phone.replica, now: { house.clock.now }, isEmpty: { _ in false }) { _ in
                throw CocoaError(.fileReadNoPermission)
            }
            await look.refresh()
            guard case .failed(let problem) = look.state else {
                Issue.record("it shows \(look.state)")
                return
            }
            #expect(problem.canRetry && !problem.text.isEmpty && !look.isRefreshing)
        }
    }

    @Test("A cancelled load leaves the content unchanged")
    @MainActor func brokenOff() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = DevicesScreen(replica: phone.replica, environment: TestPhone.environment(house.clock))
            await screen.refresh()
            #expect(screen.state.content?.count == 1)
            phone.transport.setCondition(.unreachable)
            let look = Task { await screen.refresh() }
            look.cancel()
            await look.value
            guard case .ready = screen.state else {
                Issue.record("it shows \(screen.state)")
                return
            }
            #expect(!screen.isRefreshing)
        }
    }
}

/// Answers 1 to the first caller, once it is released; 2 and 3 to later callers, at once.
private actor DelayedFirstLoad {
    private var count = 0
    private var held: CheckedContinuation<Void, Never>?

    var isHeld: Bool { held != nil }

    func next() async -> Int {
        count += 1
        let mine = count
        if mine == 1 { await withCheckedContinuation { held = $0 } }
        return mine
    }

    func release() {
        held?.resume()
        held = nil
    }
}
