import CardeaModel
import Foundation
import Testing

@testable import cardea

@Suite("Images in the terminal")
struct TerminalImageTests {
    struct TerminalEnvironment: Sendable, CustomTestStringConvertible {
        let name: String
        let environment: [String: String]
        let way: TerminalImageProtocol?

        var testDescription: String { name }
    }

    private static let iTermSure = TerminalImageProtocol.iTerm(isSure: true)

    @Test(
        "A known terminal gets its own image protocol, and an unknown one gets no image",
        arguments: [
            TerminalEnvironment(name: "kitty", environment: ["TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"], way: .kitty),
            TerminalEnvironment(
                name: "kitty under another TERM", environment: ["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], way: .kitty),
            TerminalEnvironment(name: "kitty, from afar", environment: ["TERM": "xterm-kitty"], way: .kitty),
            TerminalEnvironment(name: "Ghostty", environment: ["TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty"], way: .kitty),
            TerminalEnvironment(
                name: "Ghostty under another TERM", environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], way: .kitty),
            TerminalEnvironment(name: "iTerm2", environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], way: iTermSure),
            TerminalEnvironment(
                name: "iTerm2, from afar", environment: ["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], way: iTermSure),
            TerminalEnvironment(name: "WezTerm", environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], way: iTermSure),
            TerminalEnvironment(name: "mintty", environment: ["TERM": "xterm", "TERM_PROGRAM": "mintty"], way: iTermSure),
            TerminalEnvironment(name: "Konsole", environment: ["TERM": "xterm-256color", "KONSOLE_VERSION": "220401"], way: iTermSure),
            TerminalEnvironment(
                name: "Konsole before it could", environment: ["TERM": "xterm-256color", "KONSOLE_VERSION": "211203"], way: nil),
            TerminalEnvironment(
                name: "VS Code", environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode"], way: .iTerm(isSure: false)),
            TerminalEnvironment(
                name: "VS Code, started from kitty",
                environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "KITTY_WINDOW_ID": "1"], way: .iTerm(isSure: false)),
            TerminalEnvironment(
                name: "kitty, started from VS Code", environment: ["TERM": "xterm-kitty", "TERM_PROGRAM": "vscode"], way: .kitty),
            TerminalEnvironment(
                name: "Apple's terminal", environment: ["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], way: nil),
            TerminalEnvironment(name: "xterm", environment: ["TERM": "xterm-256color"], way: nil),
            TerminalEnvironment(name: "dumb", environment: ["TERM": "dumb", "TERM_PROGRAM": "iTerm.app"], way: nil),
            TerminalEnvironment(name: "tmux in kitty", environment: ["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], way: nil),
            TerminalEnvironment(
                name: "tmux that kept TERM", environment: ["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-1000/default,1,0"], way: nil),
            TerminalEnvironment(name: "screen in iTerm2", environment: ["TERM": "screen", "LC_TERMINAL": "iTerm2"], way: nil),
            TerminalEnvironment(name: "screen that kept TERM", environment: ["TERM": "xterm-kitty", "STY": "1.pts-0"], way: nil),
            TerminalEnvironment(
                name: "Zellij in WezTerm", environment: ["TERM": "xterm", "TERM_PROGRAM": "WezTerm", "ZELLIJ": "0"], way: nil),
            TerminalEnvironment(name: "nothing said", environment: [:], way: nil),
        ])
    func protocolDetection(terminal: TerminalEnvironment) {
        #expect(TerminalImageProtocol.detect(terminal.environment) == terminal.way)
    }

    @Test(
        "The kitty protocol sends chunks of at most 4096 octets that reassemble to the image",
        arguments: [1, 3072, 3073, 9216, 20_000])
    func kitty(size: Int) throws {
        // Every byte value, including those that control a terminal.
        let png = Data((0..<size).map { UInt8(truncatingIfNeeded: $0) })

        let codes = TerminalImage.kitty(png: png).text.components(separatedBy: "\u{1B}\\")

        #expect(codes.last == "")
        var together = ""
        for (place, code) in codes.dropLast().enumerated() {
            let isLast = place == codes.count - 2
            let words = "\u{1B}_G" + (place == 0 ? "a=T,f=100,q=2," : "") + "m=\(isLast ? 0 : 1);"
            #expect(code.hasPrefix(words))
            let chunk = code.dropFirst(words.count)
            #expect(chunk.count <= 4096 && (isLast || chunk.count == 4096) && chunk.allSatisfy(Self.isBase64))
            together += chunk
        }
        #expect(Data(base64Encoded: together) == png)
        #expect(codes.count - 1 == (size + 3071) / 3072)
    }

    @Test("The iTerm2 protocol sends an image without a name and refuses an oversized one")
    func iTerm() throws {
        let jpeg = Data((0...255).map { UInt8($0) })

        let text = try #require(TerminalImage.iTerm(jpeg: jpeg, columns: 40)).text

        let words = "\u{1B}]1337;File=inline=1;size=256;width=40;preserveAspectRatio=1:"
        #expect(text.hasPrefix(words) && text.hasSuffix("\u{1B}\\"))
        let base64 = text.dropFirst(words.count).dropLast(2)
        #expect(base64.allSatisfy(Self.isBase64) && Data(base64Encoded: String(base64)) == jpeg)
        #expect(TerminalImage.iTerm(jpeg: Data(count: 750_000), columns: 40) != nil)
        #expect(TerminalImage.iTerm(jpeg: Data(count: 750_001), columns: 40) == nil)
    }

    @Test("An image is as wide as fits the terminal together with its caption")
    func room() throws {
        let (wide, tall) = (try JPEGHeader(jpeg(640, 360)), try JPEGHeader(jpeg(360, 640)))
        let usual = TerminalImageArea(columns: 80, rows: 24)

        #expect(usual.columns(of: wide) == 64 && usual.columns(of: tall) == 20)
        #expect(TerminalImageArea(columns: 30, rows: 24).columns(of: wide) == 29)
        #expect(TerminalImageArea(columns: 1, rows: 1).columns(of: wide) == 1)
        #expect(usual.pixelSize == (640, 480))
        #expect(TerminalImageArea(columns: 80, rows: 24, width: 800, height: 480).pixelSize == (640, 360))
        #expect(TerminalImageArea(columns: 10, rows: 2, width: 90, height: 40).pixelSize == (90, 40))
    }

    @Test("An image that cannot be shown is saved to a private file, and old files are removed")
    func folder() throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let folder = PictureFolder(home: home)
        func there() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.folder.path) }

        let path = try folder.store(Data([1]), as: "event_1")
        #expect(try folder.store(Data([2]), as: "event_1") == path && path == home.appending(path: "pictures/event_1.jpg").path)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([2]))
        let modes = try [path, folder.folder.path].map { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
        #expect(modes == [0o600, 0o700])

        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -100)], ofItemAtPath: path)
        for number in 2...PictureFolder.maxFiles { _ = try folder.store(Data([3]), as: "event_\(number)") }
        #expect(try there().count == PictureFolder.maxFiles && there().contains("event_1.jpg"))
        _ = try folder.store(Data([3]), as: "one more")
        #expect(try there().count == PictureFolder.maxFiles && !there().contains("event_1.jpg"))
        _ = try folder.store(Data([3]), as: "later", at: Date(timeIntervalSinceNow: PictureFolder.maxAge + 60))
        #expect(try there().isEmpty, "by a clock a week later all are old, this one too")
        try folder.clear()
        #expect(!FileManager.default.fileExists(atPath: folder.folder.path))
        try folder.clear()
    }

    @Test(
        "A file name from the hub cannot leave the folder or send escape sequences",
        arguments: [
            ("event_0199-a", "event_0199-a"), ("../../etc/passwd", "etcpasswd"), ("\u{1B}]0;x\u{07}", "0x"), ("Küche٣", "Kche"),
            ("", "picture"),
            ("…", "picture"), (String(repeating: "a", count: 300), String(repeating: "a", count: 80)),
        ])
    func names(name: String, word: String) {
        #expect(PictureFolder.safeFileName(name) == word)
    }

    private static func isBase64(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+/=".contains(character))
    }

    private func jpeg(_ width: Int, _ height: Int) -> [UInt8] {
        func pair(_ number: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)] }
        return [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8] + pair(height) + pair(width) + [1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 7, 0xFF, 0xD9]
    }
}
