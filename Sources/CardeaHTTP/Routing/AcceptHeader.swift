import CardeaAPI
import HTTPTypes
import Hummingbird

/// The media types that a client takes, by its `Accept` (RFC 9110, section 12.5.1).
struct AcceptHeader {
    private let ranges: [(type: String, quality: Double)]

    init(_ fields: [String]) {
        ranges = fields.flatMap { $0.split(separator: ",") }.compactMap(Self.range)
    }

    /// The form that is preferred. The second one is for clients that name it: everything else, and nothing at all, means the usual one.
    var deviceFormat: DeviceFormat {
        let named = quality(ofRange: DeviceFormat.source.mediaType) ?? 0
        return named > 0 && named >= quality(of: DeviceFormat.house.mediaType) ? .source : .house
    }

    /// The quality of a type, by the most specific range that matches it; 0 if none does.
    func quality(of type: String) -> Double {
        let family = String(type.prefix { $0 != "/" }) + "/*"
        return quality(ofRange: type) ?? quality(ofRange: family) ?? quality(ofRange: "*/*") ?? 0
    }

    private func quality(ofRange name: String) -> Double? {
        ranges.filter { $0.type == name }.map { $0.quality }.max()
    }

    /// Nil for a range that is none.
    private static func range(_ text: Substring) -> (type: String, quality: Double)? {
        let parts = text.split(separator: ";").map { part in part.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard let type = parts.first, type.contains("/") else { return nil }
        guard let weight = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return (type, 1) }
        guard let quality = Double(weight.dropFirst(2)), (0...1).contains(quality) else { return nil }
        return (type, quality)
    }
}

extension Request {
    /// The requested form of devices.
    var deviceFormat: DeviceFormat {
        let fields = headers[values: .accept]
        return fields.isEmpty ? .house : AcceptHeader(fields).deviceFormat
    }
}

extension Response {
    /// The answer in one of the two forms of devices, which caches are to keep apart.
    func withDeviceFormat(_ form: DeviceFormat) -> Response {
        var response = self
        response.headers[.vary] = "Accept"
        if response.status != .notModified { response.headers[.contentType] = form.mediaType }
        return response
    }
}
