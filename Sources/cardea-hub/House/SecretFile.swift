import ArgumentParser
import CardeaBackup
import CardeaHub
import CardeaSecurity
import CardeaStore
import Foundation

/// A file that holds one secret.
enum SecretFile {
    /// A passphrase to seal by: its first line, or with `-` that of standard input, in the form in which it is compared.
    static func newPassphrase(of path: String) throws -> Secret {
        let line = try line(text(of: bytes(path)), path)
        do throws(OpaqueString.OpaqueStringError) { return try OpaqueString.prepared(line) } catch {
            throw ValidationError("The passphrase in \(path) has an invisible character, such as a tab. Remove it.")
        }
    }

    /// The same to open by: in each form in which it may have been taken.
    static func passphrase(of path: String) throws -> [Secret] {
        let data = try bytes(path)
        let forms = OpaqueString.candidates(try line(text(of: data), path), isOfFile: true)
        // Older versions read UTF-16 as UTF-8.
        guard isUTF16(data), let former = try? line(String(decoding: data, as: UTF8.self), path) else { return forms }
        return forms + [former]
    }

    static func contents(_ path: String) throws -> Secret { Secret(text(of: try bytes(path))) }

    private static func line(_ text: String, _ path: String) throws -> Secret {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard line.count >= 8 else { throw ValidationError("The passphrase in \(path) is shorter than 8 characters.") }
        return Secret(line)
    }

    private static func bytes(_ path: String) throws -> Data {
        let data = path == "-" ? try FileHandle.standardInput.readToEnd() : FileManager.default.contents(atPath: path)
        guard let data, data.count <= 65_536 else { throw ValidationError("The file \(path) cannot be read.") }
        return data
    }

    /// Text from an editor: UTF-8, or UTF-16 if a byte order mark says so. The mark itself is dropped.
    private static func text(of data: Data) -> String {
        guard isUTF16(data) else {
            let text = String(decoding: data, as: UTF8.self)
            return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        }
        let bytes = [UInt8](data)
        let isLittle = bytes[0] == 0xFF
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { place in
            let (one, other) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isLittle ? other << 8 | one : one << 8 | other
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static func isUTF16(_ data: Data) -> Bool { data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) }
}
