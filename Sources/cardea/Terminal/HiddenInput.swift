import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads a line from the terminal without showing it.
///
/// Key by key, so that Ctrl-C comes as a key too and the terminal is never left mute.
enum HiddenInput {
    /// - Parameter ask: writes the prompt, once the echo is off.
    static func read(after ask: () -> Void) throws -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else {
            ask()
            return readLine(strippingNewline: true)
        }
        var mute = before
        mute.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &mute)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        ask()
        var typed: [UInt8] = []
        while true {
            guard let key = try FileHandle.standardInput.read(upToCount: 1)?.first else { return nil }
            switch key {
            case 0x0A, 0x0D: return String(decoding: typed, as: UTF8.self)
            case 0x03: throw CommandLineError(status: .refused, code: "cancelled", message: "\nNothing was sent.")
            case 0x04: return typed.isEmpty ? nil : String(decoding: typed, as: UTF8.self)
            case 0x15: typed = []
            case 0x08, 0x7F: deleteLastCharacter(&typed)
            default: typed.append(key)
            }
        }
    }

    /// Deletes one character, which may be several bytes.
    private static func deleteLastCharacter(_ typed: inout [UInt8]) {
        while let last = typed.popLast(), last & 0xC0 == 0x80 {}
    }
}
