import Foundation

/// A picture of 64 × 48 pixels, red, with its upper left quarter green, and its variants from programs and cameras.
public enum SamplePicture {
    public static let baseline = picture(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/
        2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCAAwAEADASIAAhEBAxEB/8QA
        HwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkK
        FhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXG
        x8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC
        AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOE
        hYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwAooor5M/Ow
        ooooA5CiiivSP6QCiiigDr6K5Ciub6v5n5v/AMQ+/wCon/yT/wC2OvorkKKPq/mH/EPv+on/AMk/+2Ciiiuk/SAooooAKKKKACiiigAooooAKKKKAP/Z
        """)

    /// In several scans.
    public static let progressive = picture(
        """
        /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/
        2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wgARCAAwAEADASIAAhEBAxEB/8QA
        FQABAQAAAAAAAAAAAAAAAAAAAAX/xAAZAQEAAgMAAAAAAAAAAAAAAAAAAwYEBQf/2gAMAwEAAhADEAAAAQ1NdAjjJ6QBYR0VbsI4CWyAAAAAf//EABQQAQAA
        AAAAAAAAAAAAAAAAAFD/2gAIAQEAAQUCQ//EABkRAAIDAQAAAAAAAAAAAAAAABYgY6HhAP/aAAgBAwEBPwFB+St4fkrX/8QAFhEBAQEAAAAAAAAAAAAAAAAA
        EyAA/9oACAECAQE/AYPHf//EABQQAQAAAAAAAAAAAAAAAAAAAFD/2gAIAQEABj8CQ//EABQQAQAAAAAAAAAAAAAAAAAAAFD/2gAIAQEAAT8hQ//aAAwDAQAC
        AAMAAAAQAA88OO888888/8QAFBEBAAAAAAAAAAAAAAAAAAAAMP/aAAgBAwEBPxBO7//EABYRAQEBAAAAAAAAAAAAAAAAACBxAP/aAAgBAgEBPxAVqf8A/8QA
        FBABAAAAAAAAAAAAAAAAAAAAUP/aAAgBAQABPxBD/9k=
        """)

    /// The baseline picture without its Huffman tables, as in an MJPEG stream: decoders know the default ones.
    public static var withoutTables: Data {
        var made = Data(baseline.prefix(2))
        for segment in segments where segment.first != 0xC4 {
            made.append(0xFF)
            made.append(contentsOf: segment)
        }
        made.append(scan)
        return made
    }

    /// The baseline picture with a rotated camera in its metadata (Exif, tag 0x0112).
    public static func turned(_ orientation: UInt8) -> Data {
        var exif = Data("Exif\0\0MM".utf8)
        exif.append(contentsOf: [0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0])
        var made = Data(baseline.prefix(2))
        made.append(contentsOf: [0xFF, 0xE1, 0, UInt8(exif.count + 2)])
        made.append(exif)
        made.append(baseline.dropFirst(2))
        return made
    }

    /// Segments before the scan, without their first 0xFF, the scan's header last.
    private static var segments: [[UInt8]] {
        var (found, place): ([[UInt8]], Int) = ([], 2)
        let bytes = [UInt8](baseline)
        repeat {
            let end = place + 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
            found.append(Array(bytes[place + 1..<end]))
            place = end
        } while found.last?.first != 0xDA
        return found
    }

    private static var scan: Data { baseline.dropFirst(segments.reduce(2) { $0 + $1.count + 1 }) }

    private static func picture(_ base64: String) -> Data {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }
}
