import CardeaModel
import CardeaStore
import Foundation

/// The first page of a personal export: its contents, the reasons for keeping them, and the retention.
struct ExportIndex {
    struct FileEntry {
        let file: String
        let purpose: TableRetentionPolicy.Purpose
        let retention: TableRetentionPolicy.RetentionRule
        let count: Int
    }

    let name: String
    /// True if it is the archive of a guest, who has no account and no device with a replica of the house.
    let isGuest: Bool
    let at: Date
    let entries: [FileEntry]
    let days: (RetentionKind) -> Int

    var html: String {
        let rows = TableRetentionPolicy.Purpose.allCases.compactMap { purpose -> String? in
            let files = entries.filter { $0.purpose == purpose && $0.count > 0 }
            guard !files.isEmpty else { return nil }
            let items = files.map { line in
                "<li><a href=\"\(line.file)\">\(line.file)</a>: \(line.count), kept \(Self.escaped(line.retention.text(days: days)))</li>"
            }
            let (what, why) = isGuest ? purpose.guestText : purpose.text
            return "<h2>\(Self.escaped(what))</h2><p>\(Self.escaped(why))</p><ul>\(items.joined())</ul>"
        }
        let summary = isGuest ? "your pass" : "your account, your preferences, and the house's maintenance and energy history"
        let elsewhere =
            isGuest
            ? "" : "\n<p>Changes on your own devices, unsent or undecided, are stored only there and are not in this archive.</p>"
        return """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>What the house keeps of \(Self.escaped(name))</title>
            <style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}</style>
            <h1>What the house keeps of \(Self.escaped(name))</h1>
            <p>As it was on \(ExportRow.text(at)). <a href="export.json">export.json</a> holds \(summary).
            <a href="manifest.json">manifest.json</a> names every file with its SHA-256 digest, and manifest.sig is the house's Ed25519 signature over it.</p>\(elsewhere)
            \(rows.joined(separator: "\n"))
            </html>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }
}
