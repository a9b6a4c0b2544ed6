import ArgumentParser
import Foundation
import Testing

@testable import cardea

/// `docs/offline.md` says what each feature does without the house. `Tests/PeerTests/test_offline_table.py` runs what it says.
@Suite("What each feature does without the house")
struct OfflineTableTests {
    private struct Feature {
        let name: String
        let commands: [String]
        let without: Substring

        var isUseful: Bool { ["shown", "waits", "here"].contains(without.prefix { $0 != ":" }) }
    }

    private func features() throws -> [Feature] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/offline.md"), encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, cells[0] != "Feature", !cells[0].hasPrefix("-") else { return nil }
            let commands = cells[1].split(separator: "`").map(String.init).filter { !$0.trimmingCharacters(in: .whitespaces).isEmpty }
            return Feature(name: cells[0], commands: commands, without: Substring(cells[2]))
        }
    }

    private static func leaves(of command: any ParsableCommand.Type, under path: [String] = []) -> [String] {
        let subcommands = command.configuration.subcommands + command.configuration.groupedSubcommands.flatMap(\.subcommands)
        guard !subcommands.isEmpty else { return [path.joined(separator: " ")] }
        return subcommands.flatMap { leaves(of: $0, under: path + [$0.configuration.commandName ?? $0._commandName]) }
    }

    @Test("At least nine of ten do something useful")
    func nineOfTen() throws {
        let features = try features()
        let useful = features.count { $0.isUseful }
        #expect(features.count >= 30 && Set(features.map(\.name)).count == features.count)
        #expect(useful * 10 >= features.count * 9, "\(useful) of \(features.count)")
        for feature in features where !feature.isUseful { #expect(feature.without.hasPrefix("no: "), "\(feature.name) says no reason") }
    }

    @Test("Every command is in the table, once, and every command in the table is there")
    func commands() throws {
        let told = try features().flatMap(\.commands).filter { $0.first?.isLowercase == true }
        let there = Self.leaves(of: Cardea.self)
        #expect(Set(told).symmetricDifference(there).isEmpty)
        #expect(told.count == Set(told).count)
    }
}
