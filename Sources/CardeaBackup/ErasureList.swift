import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation

/// Who was erased, kept beside the backups: put back from one that is older, the house erases them again, and there need be no house left that
/// remembers it.
///
/// It holds ids and moments, sealed by a key that only this house has. A list that does not open may be anybody's, and erases nobody.
struct ErasureList: Codable, Hashable, Sendable {
    /// By id, when in milliseconds since 1970.
    let people: [String: Int64]
    /// When it was written: of whoever was erased later it says nothing.
    let at: Int64

    private static let magic = Data("CARDEA ERASURES 1\n".utf8)
    /// What it is sealed for.
    private static let sealingContext = "erasures/1"
    /// Bytes; a longer one is none of ours.
    private static let sizeLimit = 16 << 20

    var writtenAt: Date { Date(milliseconds: at) }

    /// Houses that share a drawer each have a list of their own.
    static func name(by key: SealingKey) -> String {
        "cardea-\(Hexadecimal.encode(key.mark(Data("name".utf8)).prefix(8))).erasures"
    }

    /// Why a list cannot be used, in words.
    enum ErasureListError: Error, Hashable, CustomStringConvertible {
        case unreadable(String, reason: String)
        case doesNotOpen(String)

        var description: String {
            switch self {
            case .unreadable(let path, let reason): "The list of erasures \(path) cannot be read: \(reason). Nothing was changed."
            case .doesNotOpen(let path):
                "The list of erasures \(path) is damaged, was changed, or is another house's. Nothing was changed. Name another one with --erasures; where there is none, move this one away: whoever was erased since the backup then comes back with it."
            }
        }
    }

    /// - Returns: nil where there is none.
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
