import CardeaModel
import Testing

@Suite("Disk space reserve")
struct DiskSpaceTests {
    private static let mebibyte: Int64 = 1 << 20

    @Test(
        "The reserve is 256 MiB, or a tenth of a smaller disk",
        arguments: [(0, 0), (100, 10), (1000, 100), (2560, 256), (1 << 20, 256)] as [(Int64, Int64)])
    func reserve(size: Int64, kept: Int64) {
        #expect(DiskSpace(free: 0, size: size * Self.mebibyte).reserve == kept * Self.mebibyte)
    }

    @Test("Space is low below the reserve and until a tenth more is free")
    func border() {
        func isLow(_ free: Int64, wasLow: Bool) -> Bool { DiskSpace(free: free, size: 1000).isLow(wasLow: wasLow) }
        #expect([99, 100, 109, 110].map { isLow($0, wasLow: false) } == [true, false, false, false])
        #expect([99, 100, 109, 110].map { isLow($0, wasLow: true) } == [true, true, true, false])
    }
}
