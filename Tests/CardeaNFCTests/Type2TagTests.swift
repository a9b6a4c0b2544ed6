import CardeaNFC
import Synchronization
import Testing

@Suite("Type 2 tags")
struct Type2TagTests {
    @Test("Common tags are identified by their capability container", arguments: Type2Model.allCases)
    func models(model: Type2Model) throws {
        let size: [Type2Model: UInt8] = [.ntag213: 0x12, .ntag215: 0x3E, .ntag216: 0x6D]
        let container = try Type2CapabilityContainer([0xE1, 0x10, try #require(size[model]), 0x00])

        #expect(container.model == model && container.isWritable && container.dataAreaSize <= model.userMemorySize)
    }

    @Test(
        "An unformatted card is refused",
        arguments: [[0, 0, 0, 0], [0xE1, 0x20, 0x12, 0], [0xE1, 0x10, 0x12, 0xF0], [0xE1, 0x10, 0x12]] as [[UInt8]])
    func unsuitable(page: [UInt8]) {
        #expect(throws: NFCTagError.unsuitable) { try Type2CapabilityContainer(page) }
    }

    @Test("Factory data before the message is kept")
    func factory() async throws {
        let chip = SimulatedType2Tag(.ntag213, content: [0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x00, 0xFE])
        let tag = try await Type2Tag(on: chip)
        #expect(try await tag.read() == nil)

        try await tag.write(NDEFMessage(link: "https://house.example/t/tag_1"))

        #expect(chip.content.starts(with: [0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03]))
        #expect(try await tag.read() == NDEFMessage(link: "https://house.example/t/tag_1"))
        try await tag.write(NDEFMessage(link: "https://h.example/t/2"))
        #expect(try await tag.read()?.records.first?.link == "https://h.example/t/2")
    }

    @Test("Malformed content is overwritten")
    func malformedContent() async throws {
        let chip = SimulatedType2Tag(.ntag215, content: [0x02, 0xFF, 0xFF, 0xFF, 0x03])
        let tag = try await Type2Tag(on: chip)
        await #expect(throws: NFCTagError.malformed) { try await tag.read() }

        try await tag.write(NDEFMessage(link: "https://h.example/t/2"))

        #expect(try await tag.read() == NDEFMessage(link: "https://h.example/t/2"))
    }

    @Test("A removal at any time leaves the old link, nothing or the new link, never a partial one")
    func interruptedWrite() async throws {
        for (before, after) in [(8, 20), (300, 20), (20, 300), (300, 310), (252, 253), (20, 22)] {
            for start in [[], [0x01, 0x03, 0xA0, 0x0C, 0x34], [0x00, 0x00, 0x00], [0x01, 0x01, 0x00]] as [[UInt8]] {
                let old = NDEFMessage(link: "https://" + String(repeating: "o", count: before))
                let new = NDEFMessage(link: "https://" + String(repeating: "n", count: after))
                var cuts = 0
                while true {
                    let chip = SimulatedType2Tag(.ntag216, content: start + [0x03, 0x00, 0xFE])
                    let tag = try await Type2Tag(on: chip)
                    try await tag.write(old)
                    chip.remove(after: cuts)
                    let outcome: Result<Void, any Error>
                    do { outcome = .success(try await tag.write(new)) } catch { outcome = .failure(error) }
                    chip.remove(after: nil)
                    let there = try await tag.read()
                    if case .success = outcome {
                        #expect(there == new)
                        break
                    }
                    #expect(there == nil || there == old || there == new, "\(before) \(after) \(start) \(cuts)")
                    cuts += 1
                }
                #expect(cuts > 3)
            }
        }
    }

    @Test("An oversized link is refused, and nothing is written")
    func tooSmall() async throws {
        let chip = SimulatedType2Tag(.ntag213, content: [0x03, 0x00, 0xFE])
        let tag = try await Type2Tag(on: chip)
        let fits = NDEFMessage(link: "https://" + String(repeating: "x", count: tag.capacity - 5))
        #expect(fits.octets.count == tag.capacity)
        try await tag.write(fits)

        let problem = await #expect(throws: NFCTagError.self) {
            try await tag.write(NDEFMessage(link: "https://" + String(repeating: "x", count: tag.capacity - 4)))
        }

        #expect(problem == .tooSmall(needs: tag.capacity + 1, has: tag.capacity))
        #expect(
            problem?.description.hasPrefix("Tag too small") == true && problem?.description.hasSuffix("Use NTAG215 or NTAG216.") == true)
        #expect(try await tag.read() == fits)
    }

    @Test("A locked tag cannot be written, and no other bit is set", arguments: Type2Model.allCases)
    func lock(model: Type2Model) async throws {
        let chip = SimulatedType2Tag(model, content: [0x03, 0x00, 0xFE])
        try await Type2Tag(on: chip).write(NDEFMessage(link: "https://h.example/t/1"))

        try await Type2Tag(on: chip).lock()

        #expect(
            chip.page(2).suffix(2) == [0xFF, 0xFF] && chip.page(3)[3] == 0x0F
                && chip.page(model == .ntag213 ? 0x28 : model == .ntag215 ? 0x82 : 0xE2)[0] == 0xFF)
        let tag = try await Type2Tag(on: chip)
        #expect(try await tag.read()?.records.first?.link == "https://h.example/t/1")
        await #expect(throws: NFCTagError.readOnly) { try await tag.write(NDEFMessage(link: "https://h.example/t/2")) }
    }

    @Test("Damaged memory causes no crash")
    func fuzz() {
        var random = SeededGenerator(seed: 3)
        let memory: [UInt8] = [0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x0C] + NDEFMessage(link: "http://www.nfc.com").octets + [0xFE, 0, 0]
        var found = 0
        let count = SeededGenerator.iterations(20_000, full: 200_000)
        for _ in 0..<count {
            let octets = random.mutated(memory)
            let room = Int.random(in: 16...64, using: &random)
            switch Result(catching: { try Type2Memory.locateMessage(in: Array(octets.prefix(room)), room: room) }) {
            case .success(.message(_, let content)):
                found += 1
                if content.upperBound > octets.count { Issue.record("\(octets), seed \(random.seed)") }
            case .success(.none(let place)):
                if let writes = try? Type2Memory.pageWrites([1, 2, 3], at: place, over: Array(octets.prefix(room)), room: room) {
                    for write in writes where write.octets.count != 4 || (Int(write.page) - 4) * 4 >= room {
                        Issue.record("\(octets), seed \(random.seed)")
                    }
                }
            case .success(.needsMoreData(let end)): if end <= min(octets.count, room) { Issue.record("\(octets), seed \(random.seed)") }
            case .failure: break
            }
        }
        #expect(found > count / 20, "seed \(random.seed)")
    }
}

/// An NTAG21x behind a reader, whose lock bits can only be set.
final class SimulatedType2Tag: CardChannel {
    private struct State {
        var pages: [[UInt8]]
        /// The number of further commands before it is removed.
        var remainingWrites: Int?
    }

    struct TagRemovedError: Error {}

    private let state: Mutex<State>
    private let dataAreaSize: Int

    init(_ model: Type2Model, content: [UInt8]) {
        let (size, count): (UInt8, Int) =
            switch model {
            case .ntag213: (0x12, 45)
            case .ntag215: (0x3E, 135)
            case .ntag216: (0x6D, 231)
            }
        dataAreaSize = Int(size) * 8
        var pages = [[UInt8]](repeating: [0, 0, 0, 0], count: count)
        pages[2] = [0x12, 0x48, 0, 0]
        pages[3] = [0xE1, 0x10, size, 0]
        for (place, octet) in content.enumerated() { pages[4 + place / 4][place % 4] = octet }
        state = Mutex(State(pages: pages))
    }

    var content: [UInt8] { state.withLock { Array($0.pages.dropFirst(4).joined().prefix(dataAreaSize)) } }

    func page(_ number: Int) -> [UInt8] { state.withLock { $0.pages[number] } }

    /// - Parameter commands: writes that it still accepts; nil leaves it on the reader.
    func remove(after commands: Int?) { state.withLock { $0.remainingWrites = commands } }

    func exchange(_ command: CommandAPDU) async throws -> ResponseAPDU {
        try state.withLock { state in
            let page = Int(command.header[3])
            switch (command.header[0], command.header[1]) {
            case (0xFF, 0xB0):
                guard page + 4 <= state.pages.count + 3 else { return ResponseAPDU(status: 0x6A82) }
                let pages = (page..<page + 4).map { state.pages[$0 % state.pages.count] }
                return ResponseAPDU(data: Array(pages.joined()), status: 0x9000)
            case (0xFF, 0xD6):
                if let left = state.remainingWrites {
                    guard left > 0 else { throw TagRemovedError() }
                    state.remainingWrites = left - 1
                }
                let isAdded = page == 2 || page == 3
                state.pages[page] = zip(state.pages[page], command.data).map { isAdded ? $0 | $1 : $1 }
                return ResponseAPDU(status: 0x9000)
            default: return ResponseAPDU(status: 0x6D00)
            }
        }
    }
}
