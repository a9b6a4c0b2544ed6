import CardeaNFC
import Synchronization
import Testing

@Suite("Type 4 tags")
struct Type4TagTests {
    @Test("Writes and reads use the tag's own chunk sizes", arguments: [15, 58, 255])
    func chunkedTransfer(most: Int) async throws {
        let chip = SimulatedType4Tag(size: 900, most: most)
        let tag = try await Type4Tag(on: chip)
        #expect(try await tag.read() == nil)
        let message = NDEFMessage(link: "https://house.example/" + String(repeating: "x", count: 700))

        try await tag.write(message)

        #expect(try await tag.read() == message)
        #expect(chip.longest <= most)
    }

    @Test("A removal at any time leaves the old link, nothing or the new link")
    func interruptedWrite() async throws {
        let old = NDEFMessage(link: "https://house.example/t/old"), new = NDEFMessage(link: "https://house.example/t/new-one")
        var cuts = 0
        while true {
            let chip = SimulatedType4Tag(size: 256, most: 16)
            let tag = try await Type4Tag(on: chip)
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
            #expect(cuts == 0 ? there == old : there == nil || there == new)
            cuts += 1
        }
        #expect(cuts > 3)
    }

    @Test("An oversized link and a read-only tag are refused before any write")
    func refused() async throws {
        let small = try await Type4Tag(on: SimulatedType4Tag(size: 32, most: 255))
        await #expect(throws: NFCTagError.tooSmall(needs: 45, has: 30)) {
            try await small.write(NDEFMessage(link: "https://" + String(repeating: "x", count: 40)))
        }
        let chip = SimulatedType4Tag(size: 256, most: 255)
        try await Type4Tag(on: chip).write(NDEFMessage(link: "https://h.example/t/1"))
        try await Type4Tag(on: chip).lock()
        let locked = try await Type4Tag(on: chip)
        #expect(!locked.container.isWritable)
        await #expect(throws: NFCTagError.readOnly) { try await locked.write(NDEFMessage(link: "https://h.example/t/2")) }
        #expect(try await locked.read()?.records.first?.link == "https://h.example/t/1")
    }

    @Test("Another kind of card is recognised by its reader or by a missing command")
    func others() async throws {
        let classic: [UInt8] = [0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0, 0, 0x03, 0x06, 0x03, 0x00, 0x01, 0, 0, 0, 0, 0x6A]
        await #expect(throws: NFCTagError.unsuitable) { try await NFCTag(on: SimulatedType4Tag(size: 256, most: 255), atr: classic) }
        await #expect(throws: NFCTagError.unsuitable) {
            try await NFCTag(on: SimulatedType2Tag(.ntag213, content: []), atr: [0x3B, 0x80, 0x80, 0x01, 0x01])
        }
        var ultralight = classic
        ultralight[14] = 0x03
        #expect(try await NFCTag(on: SimulatedType2Tag(.ntag213, content: []), atr: ultralight).name == "NTAG213")
        #expect(try await NFCTag(on: SimulatedType4Tag(size: 256, most: 255), atr: []).name == "Type 4")
    }

    @Test("Damaged containers cause no crash")
    func fuzz() {
        var random = SeededGenerator(seed: 4)
        let whole: [UInt8] = [0x00, 0x0F, 0x20, 0x00, 0x3B, 0x00, 0x34, 0x04, 0x06, 0xE1, 0x04, 0x01, 0x00, 0x00, 0x00]
        var readable = 0
        let count = SeededGenerator.iterations(20_000, full: 100_000)
        for _ in 0..<count {
            guard let container = try? Type4CapabilityContainer(random.mutated(whole)) else { continue }
            readable += 1
            if container.maxReadLength < 15 || container.maxWriteLength < 1 || container.capacity < 3 || container.size > 0x7FFF {
                Issue.record("\(container), seed \(random.seed)")
            }
        }
        #expect(readable > count / 10, "seed \(random.seed)")
    }
}

/// A Type 4 tag behind a reader.
final class SimulatedType4Tag: CardChannel {
    private struct State {
        var files: [UInt16: [UInt8]]
        var selectedFile: UInt16?
        var longest = 0
        var remainingWrites: Int?
    }

    private let state: Mutex<State>

    init(size: Int, most: Int) {
        func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        let container = [0x00, 0x0F, 0x20] + two(most) + two(most) + [0x04, 0x06, 0xE1, 0x04] + two(size) + [0x00, 0x00]
        state = Mutex(State(files: [0xE103: container, 0xE104: [UInt8](repeating: 0, count: size)]))
    }

    var longest: Int { state.withLock { $0.longest } }

    /// - Parameter commands: writes that it still accepts; nil leaves it on the reader.
    func remove(after commands: Int?) { state.withLock { $0.remainingWrites = commands } }

    func exchange(_ command: CommandAPDU) async throws -> ResponseAPDU {
        try state.withLock { state in
            let start = Int(command.header[2]) << 8 | Int(command.header[3])
            state.longest = max(state.longest, command.data.count, command.header[1] == 0xB0 ? command.expectedLength ?? 0 : 0)
            switch command.header[1] {
            case 0xA4 where command.header[2] == 0x04: return ResponseAPDU(status: 0x9000)
            case 0xA4:
                state.selectedFile = UInt16(command.data[0]) << 8 | UInt16(command.data[1])
                return ResponseAPDU(status: state.selectedFile.flatMap { state.files[$0] } == nil ? 0x6A82 : 0x9000)
            case 0xB0:
                guard let file = state.selectedFile.flatMap({ state.files[$0] }) else { return ResponseAPDU(status: 0x6985) }
                return ResponseAPDU(data: Array(file.dropFirst(start).prefix(command.expectedLength ?? 0)), status: 0x9000)
            case 0xD6:
                if let left = state.remainingWrites {
                    guard left > 0 else { throw SimulatedType2Tag.TagRemovedError() }
                    state.remainingWrites = left - 1
                }
                guard let name = state.selectedFile, var file = state.files[name], start + command.data.count <= file.count else {
                    return ResponseAPDU(status: 0x6A84)
                }
                file.replaceSubrange(start..<start + command.data.count, with: command.data)
                state.files[name] = file
                return ResponseAPDU(status: 0x9000)
            default: return ResponseAPDU(status: 0x6D00)
            }
        }
    }
}
