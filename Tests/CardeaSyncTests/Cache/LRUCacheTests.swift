import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaSync

@Suite("LRU cache")
struct LRUCacheTests {
    private let then = Date(timeIntervalSince1970: 1_795_269_600)

    private func answer(_ size: Int, _ priority: CachePriority = .normal, askedAt seconds: TimeInterval = 0) -> CachedAnswer {
        CachedAnswer(json: Data(count: size), priority: priority, askedAt: then.addingTimeInterval(seconds), expiresAt: .distantFuture)
    }

    private func mark(_ number: Int) -> Data { Data("\(number)".utf8) }

    @Test("The lowest priority is evicted first, and within it the least recently used")
    func order() {
        var shelf = LRUCache(most: 400)
        shelf.store(answer(100, .critical), as: mark(0))
        for number in 1...3 { shelf.store(answer(100), as: mark(number)) }
        #expect(shelf.answer(mark(1)) != nil)
        shelf.store(answer(100, .high), as: mark(4))
        #expect(shelf.answer(mark(2)) == nil && shelf.answer(mark(1)) != nil && shelf.answer(mark(3)) != nil)
        shelf.store(answer(100, .low), as: mark(5))
        #expect(shelf.answer(mark(5)) == nil, "what matters less than everything there finds no room")
        #expect(shelf.answer(mark(0)) != nil && shelf.bytes == 400)
    }

    @Test("An answer to an earlier request does not replace a later one")
    func overtaken() {
        var shelf = LRUCache(most: 400)
        shelf.store(answer(20, askedAt: 5), as: mark(1))
        shelf.store(answer(10, askedAt: 4), as: mark(1))
        #expect(shelf.answer(mark(1))?.json.count == 20)
        shelf.store(answer(10, askedAt: 6), as: mark(1))
        #expect(shelf.answer(mark(1))?.json.count == 10 && shelf.bytes == 10)
    }

    @Test(
        "The cache never exceeds its limit and counts its bytes correctly",
        arguments: TestSeed.values(0..<50 as Range<UInt64>))
    func bounded(seed: UInt64) {
        var dice = XorshiftGenerator(seed: seed &+ 1)
        var shelf = LRUCache(most: 1_000)
        for step in 0..<200 {
            let (number, priority) = (dice.next(20), CachePriority.allCases[dice.next(CachePriority.allCases.count)])
            switch dice.next(8) {
            case 0: shelf.remove(mark(number))
            case 1: _ = shelf.answer(mark(number))
            case 2: shelf.removeAll(below: priority)
            default: shelf.store(answer(dice.next(401), priority, askedAt: TimeInterval(step)), as: mark(number))
            }
            #expect(shelf.bytes <= 1_000)
            #expect(shelf.bytes == (0..<20).reduce(0) { $0 + (shelf.answer(mark($1))?.json.count ?? 0) })
        }
    }
}
