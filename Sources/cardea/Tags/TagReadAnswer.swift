import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaNFC
import CardeaSecurity

/// The tag on a reader.
struct TagReadAnswer: Encodable {
    /// The product name.
    let medium: String
    /// The number that the factory gave it.
    @Nullable private(set) var chip: String?
    /// The maximum size of a message in octets.
    let capacity: Int
    let isWritable: Bool
    let records: [Record]
    /// The house's tag that it is.
    @Nullable var tag: TagAnswer?
    /// The preview of a tap.
    @Nullable var look: InspectedTagAnswer?

    struct Record: Encodable {
        /// `link`, `text` or `other`.
        let kind: String
        @Nullable private(set) var text: String?

        init(_ record: NDEFRecord) {
            if let link = record.link {
                (kind, text) = ("link", link)
            } else if let words = record.text {
                (kind, text) = ("text", words.text)
            } else {
                kind = "other"
            }
        }
    }

    enum CodingKeys: String, CodingKey {
        case medium, chip, capacity, records, tag, look
        case isWritable = "is_writable"
    }

    init(_ laid: PresentedTag, _ message: NDEFMessage?) {
        medium = laid.tag.name
        chip = laid.uidText
        capacity = laid.tag.capacity
        isWritable = laid.tag.isWritable
        records = message?.records.map(Record.init) ?? []
    }

    var link: String? { records.first { $0.kind == "link" }?.text }

    var text: String {
        var lines = ["\(medium)\(chip.map { ", chip \($0)" } ?? ""), \(capacity) octets\(isWritable ? "" : ", locked")"]
        lines +=
            records.isEmpty
            ? ["The tag is empty."] : records.map { record in "  \(record.kind): \(TextWidth.printable(record.text ?? "…"))" }
        if let tag { lines.append("Tag of this house: \(TagText.name(tag)), \(TagText.kind(tag.kind)).") }
        if let look {
            let what = look.action.map { "A tap presses \($0.title)." }
            lines.append([what, look.message].compactMap(\.self).joined(separator: " "))
        }
        return lines.joined(separator: "\n")
    }
}
