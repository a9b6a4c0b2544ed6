import Glibc
import Testing

@testable import CardeaMosquitto

@Suite("Work for a connection's thread wakes it where it sleeps, and only there")
struct ConnectionJobQueueTests {
    private let queue: ConnectionJobQueue

    init() throws { queue = try #require(ConnectionJobQueue()) }

    private var isRung: Bool {
        var source = pollfd(fd: queue.wakeReadDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 0) > 0
    }

    private func post() { queue.post(ConnectionJobQueue.Job(run: { _ in }, abandon: { _ in })) }

    @Test("Who is awake is not woken, and does not sleep before the work is done")
    func awake() {
        post()
        #expect(!isRung && !queue.prepareToSleep())
        #expect(queue.drain().count == 1)
        #expect(queue.prepareToSleep())
    }

    @Test("Who sleeps is woken once, however much comes")
    func asleep() {
        #expect(queue.prepareToSleep())
        post()
        #expect(isRung)
        queue.didWake(isRung: true)
        post()
        #expect(!isRung && queue.drain().count == 2)
    }

    @Test("Who woke for something else is not woken once more")
    func wokenOtherwise() {
        #expect(queue.prepareToSleep())
        queue.didWake(isRung: false)
        post()
        #expect(!isRung && queue.drain().count == 1)
    }

    @Test("After the end nothing is taken, and whoever brings it is told why")
    func closed() async {
        queue.close(.closed)
        await confirmation { told in
            queue.post(ConnectionJobQueue.Job(run: { _ in }, abandon: { if $0 == .closed { told() } }))
        }
        #expect(queue.drain().isEmpty)
    }
}
