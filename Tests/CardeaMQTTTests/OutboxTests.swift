import Glibc
import Testing

@testable import CardeaMosquitto

@Suite("Work for a connection's thread wakes it where it sleeps, and only there")
struct OutboxTests {
    private let outbox: Outbox

    init() throws { outbox = try #require(Outbox()) }

    private var isRung: Bool {
        var source = pollfd(fd: outbox.bell, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 0) > 0
    }

    private func post() { outbox.post(Outbox.Job(run: { _ in }, abandon: { _ in })) }

    @Test("Who is awake is not woken, and does not sleep before the work is done")
    func awake() {
        post()
        #expect(!isRung && !outbox.maySleep())
        #expect(outbox.take().count == 1)
        #expect(outbox.maySleep())
    }

    @Test("Who sleeps is woken once, however much comes")
    func asleep() {
        #expect(outbox.maySleep())
        post()
        #expect(isRung)
        outbox.awake(isRung: true)
        post()
        #expect(!isRung && outbox.take().count == 2)
    }

    @Test("Who woke for something else is not woken once more")
    func wokenOtherwise() {
        #expect(outbox.maySleep())
        outbox.awake(isRung: false)
        post()
        #expect(!isRung && outbox.take().count == 1)
    }

    @Test("After the end nothing is taken, and whoever brings it is told why")
    func closed() async {
        outbox.close(.closed)
        await confirmation { told in
            outbox.post(Outbox.Job(run: { _ in }, abandon: { if $0 == .closed { told() } }))
        }
        #expect(outbox.take().isEmpty)
    }
}
