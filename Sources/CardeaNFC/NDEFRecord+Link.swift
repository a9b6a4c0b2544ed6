extension NDEFRecord {
    /// A link (NFC Forum, RTD URI 1.0). What it begins with is shortened if there is a number for it.
    public static func link(_ text: String) -> NDEFRecord {
        let octets = Array(text.utf8)
        var best = (code: UInt8(0), count: 0)
        for (code, beginning) in uriPrefixes.enumerated() where beginning.utf8.count > best.count && octets.starts(with: beginning.utf8) {
            best = (UInt8(truncatingIfNeeded: code), beginning.utf8.count)
        }
        return NDEFRecord(letter: "U", payload: [best.code] + octets.dropFirst(best.count))
    }

    /// The link that it is; nil if it is something else, or no text.
    public var link: String? {
        switch typeName {
        case .absoluteURI: return Self.unpadded(type[...])
        case .wellKnown where type == Array("U".utf8):
            guard let code = payload.first, let rest = Self.unpadded(payload.dropFirst()) else { return nil }
            // Unassigned codes mean no prefix.
            return (Self.uriPrefixes.indices.contains(Int(code)) ? Self.uriPrefixes[Int(code)] : "") + rest
        default: return nil
        }
    }

    /// Without padding at the end, which some writers add: zeros, and octets that occur in no text.
    private static func unpadded(_ octets: ArraySlice<UInt8>) -> String? {
        let end = octets.lastIndex { $0 != 0 && $0 < 0xFE }
        return String(validating: octets.prefix(upTo: end.map { $0 + 1 } ?? octets.startIndex), as: UTF8.self)
    }

    /// Each at its number.
    private static let uriPrefixes = [
        "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:", "ftp://anonymous:anonymous@", "ftp://ftp.", "ftps://",
        "sftp://", "smb://", "nfs://", "ftp://", "dav://", "news:", "telnet://", "imap:", "rtsp://", "urn:", "pop:", "sip:", "sips:",
        "tftp:",
        "btspp://", "btl2cap://", "btgoep://", "tcpobex://", "irdaobex://", "file://", "urn:epc:id:", "urn:epc:tag:", "urn:epc:pat:",
        "urn:epc:raw:", "urn:epc:", "urn:nfc:",
    ]
}
