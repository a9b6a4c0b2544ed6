import CardeaModel
import Foundation
import Testing

@Suite("The life of a command")
struct CommandStateMachineTests {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let notAfter = now.addingTimeInterval(10)

    private func life(_ status: CommandStatus) -> CommandStateMachine { CommandStateMachine(status: status, notAfter: Self.notAfter) }

    @Test("Accepted, sent, confirmed")
    func straight() {
        var life = CommandStateMachine(notAfter: Self.notAfter)
        let moved1 = life.apply(.dispatched, at: Self.now)
        #expect(moved1)
        #expect(life.status == .dispatching)
        let moved2 = life.apply(.confirmed, at: Self.now)
        #expect(moved2)
        #expect(life.status == .confirmed && !life.useReturned)
    }

    @Test("A command whose turn comes too late is never sent, and its use comes back")
    func tooLate() {
        var life = CommandStateMachine(notAfter: Self.notAfter)
        let moved3 = life.apply(.dispatched, at: Self.notAfter)
        #expect(moved3)
        #expect(life.status == .expired && life.useReturned)
    }

    @Test("A use comes back only when it is certain that nothing happened")
    func refunds() {
        let cases: [(CommandStatus, CommandStateMachine.Event, CommandStatus, Bool)] = [
            (.accepted, .refused, .expired, true), (.accepted, .deadlinePassed, .expired, true),
            (.dispatching, .failed(executed: false), .failed, true), (.dispatching, .failed(executed: true), .failed, false),
            (.dispatching, .deadlinePassed, .unknown, false), (.dispatching, .confirmed, .confirmed, false),
        ]
        for (from, event, to, returned) in cases {
            var life = life(from)
            let moved4 = life.apply(event, at: Self.now)
            #expect(moved4)
            #expect(life.status == to && life.useReturned == returned, "\(from) \(event)")
        }
    }

    @Test("What is over stays over, whatever comes")
    func over() {
        let events: [CommandStateMachine.Event] = [.dispatched, .confirmed, .failed(executed: false), .deadlinePassed, .refused]
        for status in CommandStatus.allCases where status.isOver {
            for event in events {
                var life = life(status)
                let before = life
                let moved5 = life.apply(event, at: Self.now)
                #expect(!moved5)
                #expect(life == before)
            }
        }
    }

    @Test("A report before anything was sent confirms nothing, and a no after sending takes nothing back")
    func outOfOrder() {
        var waiting = life(.accepted)
        let moved6 = waiting.apply(.confirmed, at: Self.now)
        #expect(!moved6)
        let moved7 = waiting.apply(.failed(executed: false), at: Self.now)
        #expect(!moved7)
        var sent = life(.dispatching)
        let moved8 = sent.apply(.refused, at: Self.now)
        #expect(!moved8)
        let moved9 = sent.apply(.dispatched, at: Self.now)
        #expect(!moved9)
    }

    @Test("After a crash: fresh and unsent is sent once, stale expires, sent is never sent again")
    func recovery() {
        #expect(life(.accepted).recovery(at: Self.now) == .dispatch)
        #expect(life(.accepted).recovery(at: Self.notAfter) == .expire)
        #expect(life(.dispatching).recovery(at: Self.now) == .markUnknown)
        for status in CommandStatus.allCases where status.isOver { #expect(life(status).recovery(at: Self.now) == .none) }
    }

    @Test("Any events in any order: at most one sending, and never a use returned after it was confirmed or unknown")
    func anyOrder() {
        var random = SeededGenerator.forTest(7)
        let events: [CommandStateMachine.Event] = [
            .dispatched, .confirmed, .failed(executed: false), .failed(executed: true), .deadlinePassed, .refused,
        ]
        for _ in 0..<20_000 {
            var life = CommandStateMachine(notAfter: Self.notAfter)
            var sendings = 0
            for _ in 0..<8 {
                let before = life.status
                life.apply(
                    events.randomElement(using: &random) ?? .refused,
                    at: Self.now.addingTimeInterval(Double.random(in: 0...12, using: &random)))
                if before == .accepted && life.status == .dispatching { sendings += 1 }
            }
            #expect(sendings <= 1, "seed \(random.seed)")
            #expect(!(life.useReturned && (life.status == .confirmed || life.status == .unknown)), "seed \(random.seed)")
        }
    }
}
