import ArgumentParser
import CardeaSync
import Foundation
import Testing

@testable import cardea

/// `OfflineCapabilities` states what each action does without the house. `Tests/PeerTests/test_offline_table.py` runs it.
@Suite("Offline table of commands")
struct OfflineCapabilitiesTests {
    private static func leaves(of command: any ParsableCommand.Type, under path: [String] = []) -> [String] {
        let subcommands = command.configuration.subcommands + command.configuration.groupedSubcommands.flatMap(\.subcommands)
        guard !subcommands.isEmpty else { return [path.joined(separator: " ")] }
        return subcommands.flatMap { leaves(of: $0, under: path + [$0.configuration.commandName ?? $0._commandName]) }
    }

    @Test("Over 90 percent of features and at least 56 percent of commands work offline")
    func shares() {
        let (features, commands) = (OfflineCapabilities.features, OfflineCapabilities.commands)
        #expect(features.whole >= 30 && features.part * 10 > features.whole * 9, "\(features)")
        #expect(commands.percent >= 56, "\(commands)")
    }

    @Test("Each row is unique, and an unavailable one has its reason")
    func rows() {
        let rows = OfflineCapabilities.rows
        #expect(Set(rows.map(\.action)).count == rows.count)
        for row in rows {
            #expect(row.works || !row.note.isEmpty, "\(row.action)")
            #expect(!row.commands.isEmpty && !(row.action + row.note).contains("|"), "\(row.action)")
        }
    }

    @Test("The table and the list of commands match")
    func commands() {
        let told = OfflineCapabilities.rows.flatMap(\.commands).filter { $0.first?.isLowercase == true }
        #expect(Set(told).symmetricDifference(Self.leaves(of: Cardea.self)).isEmpty)
        #expect(told.count == Set(told).count)
    }

    @Test("The page equals the printed table")
    func page() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "docs/offline.md")
        if ProcessInfo.processInfo.environment["CARDEA_RENEW_DOCS"] == "1" {
            try Data(OfflineCapabilities.markdownPage.utf8).write(to: file)
        }
        let isSame = try String(contentsOf: file, encoding: .utf8) == OfflineCapabilities.markdownPage
        #expect(isSame, "Renew it: CARDEA_RENEW_DOCS=1 swift test --filter OfflineCapabilitiesTests")
    }
}
