import CardeaSecurity
import Foundation
import Testing

/// Inputs of the Certificate Transparency reference tests; roots and proofs by RFC 9162, section 2.1.
@Suite("Merkle tree of the audit log")
struct MerkleTreeTests {
    private static let entries = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    private static let roots = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]

    private func hex(_ text: String) -> Data {
        var (data, rest) = (Data(), text[...])
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            data.append(byte)
            rest = rest.dropFirst(2)
        }
        return data
    }

    private func leaves(_ count: Int) -> [Data] { (0..<count).map { MerkleTree.leaf(Data("entry \($0)".utf8)) } }

    private func known(_ leaves: [Data]) -> (Range<Int64>) -> Data? {
        { range in range.count == 1 && leaves.indices.contains(Int(range.lowerBound)) ? leaves[Int(range.lowerBound)] : nil }
    }

    @Test("The roots of sizes 0 to 8 match the published values")
    func rootsBySize() throws {
        let leaves = Self.entries.map { MerkleTree.leaf(hex($0)) }
        var frontier = MerkleTree.Frontier()
        for size in 0...8 {
            #expect(frontier.size == Int64(size) && frontier.root == hex(Self.roots[size]), "\(size)")
            if size > 0 { #expect(try MerkleTree.root(of: 0..<Int64(size), known: known(leaves)) == hex(Self.roots[size])) }
            if size < 8 { frontier.append(leaves[size]) }
        }
    }

    @Test("The proofs match the published values and verify")
    func published() throws {
        let leaves = Self.entries.map { MerkleTree.leaf(hex($0)) }
        let first = [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ].map(hex)
        let sixth = [
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ].map(hex)
        let grown = [
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ].map(hex)
        #expect(try MerkleTree.inclusionProof(of: 0, in: 8, known: known(leaves)) == first)
        #expect(try MerkleTree.inclusionProof(of: 5, in: 8, known: known(leaves)) == sixth)
        #expect(try MerkleTree.consistencyProof(of: 6, with: 8, known: known(leaves)) == grown)
        let (root, before) = (hex(Self.roots[8]), hex(Self.roots[6]))
        #expect(MerkleTree.verifyInclusion(leaves[0], at: 0, in: 8, root: root, by: first))
        #expect(MerkleTree.verifyInclusion(leaves[5], at: 5, in: 8, root: root, by: sixth))
        #expect(MerkleTree.verifyConsistency(root, of: 8, growsFrom: 6, root: before, by: grown))
        #expect(!MerkleTree.verifyConsistency(root, of: 8, growsFrom: 6, root: before, by: []))
        for bit in 0..<256 {
            func flipped(_ data: Data) -> Data {
                var data = data
                data[data.startIndex + bit / 8] ^= 1 << UInt8(bit % 8)
                return data
            }
            #expect(!MerkleTree.verifyInclusion(flipped(leaves[5]), at: 5, in: 8, root: root, by: sixth))
            #expect(!MerkleTree.verifyInclusion(leaves[5], at: 5, in: 8, root: flipped(root), by: sixth))
            for place in 0..<3 {
                var (path, growth) = (sixth, grown)
                path[place] = flipped(path[place])
                growth[place] = flipped(growth[place])
                #expect(!MerkleTree.verifyInclusion(leaves[5], at: 5, in: 8, root: root, by: path))
                #expect(!MerkleTree.verifyConsistency(root, of: 8, growsFrom: 6, root: before, by: growth))
            }
        }
    }

    @Test("In logs of up to 70 entries each entry is proven only at its place, and each growth only by its own proof")
    func everyLog() throws {
        let leaves = leaves(70)
        var roots: [Data] = [MerkleTree.emptyRoot]
        var frontier = MerkleTree.Frontier()
        for leaf in leaves {
            frontier.append(leaf)
            roots.append(frontier.root)
        }
        for size in 1...70 {
            let end = Int64(size)
            for index in 0..<size {
                let path = try MerkleTree.inclusionProof(of: Int64(index), in: end, known: known(leaves))
                #expect(MerkleTree.verifyInclusion(leaves[index], at: Int64(index), in: end, root: roots[size], by: path))
                let other = Int64((index + 1) % size)
                #expect(size == 1 || !MerkleTree.verifyInclusion(leaves[index], at: other, in: end, root: roots[size], by: path))
                #expect(!MerkleTree.verifyInclusion(leaves[index], at: Int64(index), in: end, root: roots[size], by: path + [leaves[0]]))
            }
            for before in 1...size {
                let start = Int64(before)
                let path = try MerkleTree.consistencyProof(of: start, with: end, known: known(leaves))
                #expect(MerkleTree.verifyConsistency(roots[size], of: end, growsFrom: start, root: roots[before], by: path))
                guard before < size else { continue }
                #expect(!MerkleTree.verifyConsistency(roots[size], of: end, growsFrom: start, root: roots[before - 1], by: path))
                #expect(!MerkleTree.verifyConsistency(roots[before], of: end, growsFrom: start, root: roots[before], by: path))
                #expect(!MerkleTree.verifyConsistency(roots[size], of: end, growsFrom: start, root: roots[before], by: path + [leaves[0]]))
            }
        }
    }

    @Test("Whole segments build the same tree and prove the rest of a log with a dropped beginning")
    func segments() throws {
        let leaves = leaves(1300)
        let segments = try (0..<5).map { try MerkleTree.root(of: $0 * 256..<($0 + 1) * 256, known: known(leaves)) }
        var (whole, byParts) = (MerkleTree.Frontier(), MerkleTree.Frontier())
        for leaf in leaves { whole.append(leaf) }
        for segment in segments {
            let fits = byParts.append(subtree: segment, height: 8)
            #expect(fits)
        }
        var rest = MerkleTree.Frontier()
        let isNothing = byParts.append(rest)
        for leaf in leaves[1280...] { rest.append(leaf) }
        let fitsTogether = byParts.append(rest)
        #expect(isNothing && fitsTogether && byParts == whole && byParts.root == whole.root)
        let doesNotFit = !rest.append(byParts)
        #expect(doesNotFit && rest.size == 20)
        var odd = MerkleTree.Frontier()
        odd.append(leaves[0])
        let fits = odd.append(subtree: segments[0], height: 8)
        #expect(!fits && odd.size == 1)

        func left(_ range: Range<Int64>) -> Data? {
            if range.count == 256, range.lowerBound % 256 == 0 { return segments[Int(range.lowerBound / 256)] }
            return range.lowerBound >= 512 ? known(leaves)(range) : nil
        }
        for index in [512, 700, 1299] as [Int64] {
            let path = try MerkleTree.inclusionProof(of: index, in: 1300, known: left)
            #expect(MerkleTree.verifyInclusion(leaves[Int(index)], at: index, in: 1300, root: whole.root, by: path))
        }
        #expect(throws: MerkleTree.UnknownHashError(index: 128)) { try MerkleTree.inclusionProof(of: 11, in: 1300, known: left) }
    }

    @Test("Invalid proofs are refused without a crash")
    func nonsense() {
        let root = Data(count: 32)
        for (index, size) in [(-1, 1), (0, 0), (1, 1), (.max, .max), (.min, .max), (0, .max), (5, -3)] as [(Int64, Int64)] {
            #expect(!MerkleTree.verifyInclusion(root, at: index, in: size, root: root, by: []))
            #expect(!MerkleTree.verifyInclusion(root, at: index, in: size, root: root, by: Array(repeating: root, count: 70)))
            #expect(!MerkleTree.verifyConsistency(root, of: size, growsFrom: index, root: root, by: [root]))
            #expect(throws: (any Error).self) { try MerkleTree.inclusionProof(of: index, in: size) { _ in nil } }
        }
        #expect(throws: (any Error).self) { try MerkleTree.consistencyProof(of: 0, with: 5) { _ in nil } }
        #expect(throws: (any Error).self) { try MerkleTree.consistencyProof(of: 6, with: 5) { _ in nil } }
        #expect(throws: (any Error).self) { try MerkleTree.consistencyProof(of: 1, with: .max) { _ in nil } }
    }
}
