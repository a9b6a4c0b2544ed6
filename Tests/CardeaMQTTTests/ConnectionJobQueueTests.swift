import Glibc
import Testing

@testable import CardeaMosquitto

@Suite("Connection job queue wakes its thread only while it sleeps")
struct ConnectionJobQueueTests {
    private let queue: ConnectionJobQueue

    init() throws { queue = try #require(ConnectionJobQueue()) }

    private var isRung: Bool {
        var source = pollfd(fd: queue.wakeReadDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 0) > 0
    }

    private func post() { queue.post(ConnectionJobQueue.Job(run: { _ in }, abandon: { _ in })) }

    @Test("An awake thread is not woken and does not sleep before the job is done")
    func awake() {
        post()
        #expect(!isRung && !queue.prepareToSleep())
        #expect(queue.drain().count == 1)
        #expect(queue.prepareToSleep())
    }

    @Test("A sleeping thread is woken once for any number of jobs")
    func asleep() {
        #expect(queue.prepareToSleep())
        post()
        #expect(isRung)
        queue.didWake(isRung: true)
        post()
        #expect(!isRung && queue.drain().count == 2)
    }

    @Test("A thread that woke for another reason is not woken again")
    func wokenOtherwise() {
        #expect(queue.prepareToSleep())
        queue.didWake(isRung: false)
        post()
        #expect(!isRung && queue.drain().count == 1)
    }

    @Test("A closed queue refuses jobs and reports the reason")
    func closed() async {
        queue.close(.closed)
        await confirmation { told in
            queue.post(ConnectionJobQueue.Job(run: { _ in }, abandon: { if $0 == .closed { told() } }))
        }
        #expect(queue.drain().isEmpty)
    }
}
