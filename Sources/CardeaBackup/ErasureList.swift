import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation

/// The list of erased people, kept beside the backups: after a restore from an older backup the house erases them again, even if no house
/// that remembers them is left.
///
/// It holds ids and times, sealed by a key that only this house has. A list that does not open may be anyone's and erases no one.
struct ErasureList: Codable, Hashable, Sendable {
    /// By id, when in milliseconds since 1970.
    let people: [String: Int64]
    /// The time of writing, in milliseconds since 1970: later erasures are not in it.
    let at: Int64

    private static let magic = Data("CARDEA ERASURES 1\n".utf8)
    /// The sealing context.
    private static let sealingContext = "erasures/1"
    /// Bytes; a longer list is not valid.
    private static let sizeLimit = 16 << 20

    var writtenAt: Date { Date(milliseconds: at) }

    /// Houses that share a drawer each have a list of their own.
    static func name(by key: SealingKey) -> String {
        "cardea-\(Hexadecimal.encode(key.mark(Data("name".utf8)).prefix(8))).erasures"
    }

    /// The reason why a list cannot be used, in words.
    enum ErasureListError: Error, Hashable, CustomStringConvertible {
        case unreadable(String, reason: String)
        case doesNotOpen(String)

        var description: String {
            switch self {
            case .unreadable(let path, let reason): "The list of erasures \(path) cannot be read: \(reason). Nothing was changed."
            case .doesNotOpen(let path):
                "The list of erasures \(path) is damaged, was changed, or is another house's. Nothing was changed. Choose another one with --erasures. If there is none, move this one away: people erased since the backup are then restored."
            }
        }
    }

    /// - Returns: nil if there is none.
    static func read(_ url: URL, key: SealingKey) throws(ErasureListError) -> ErasureList? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: url)
            data = try file.read(upToCount: sizeLimit) ?? Data()
        } catch { throw .unreadable(url.path, reason: error.localizedDescription) }
        guard data.starts(with: magic), let text = try? key.open(Data(data.dropFirst(magic.count)), for: sealingContext),
            let list = try? JSONDecoder().decode(ErasureList.self, from: text)
        else { throw .doesNotOpen(url.path) }
        return list
    }

    /// Under another name first, then into place.
    func write(to url: URL, key: SealingKey) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try PrivateFile(url).replace(with: Self.magic + key.seal(encoder.encode(self), for: Self.sealingContext))
    }
}
