import Foundation

/// A phone's own description in its pairing request. It helps its owner to tell it from others, and proves nothing.
public struct PhoneDescription: Hashable, Sendable {
    /// The phone's own id, a lowercase UUID. It is never shown, because the phone needs it to redeem the digits.
    public let deviceID: String
    public let name: String
    public let model: String?
    public let platform: Platform?

    public enum Platform: String, Codable, Hashable, Sendable, CaseIterable {
        case ios, android
    }

    public enum DescriptionError: Error, Hashable {
        case deviceID
        case name(Name.NameError)
        case model(Name.NameError)
    }

    /// Longest model, in characters.
    public static let modelLimit = 50

    public init(deviceID: String, name: String, model: String?, platform: Platform? = nil) throws(DescriptionError) {
        guard let id = Self.deviceID(deviceID) else { throw .deviceID }
        self.deviceID = id
        do { self.name = try Name.check(name) } catch { throw .name(error) }
        self.model = try Self.model(model)
        self.platform = platform
    }

    /// A phone's own name as it is compared; nil if it is no UUID.
    public static func deviceID(_ text: String) -> String? {
        text.utf8.count == 36 ? UUID(uuidString: text)?.uuidString.lowercased() : nil
    }

    private static func model(_ text: String?) throws(DescriptionError) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let model: String
        do { model = try Name.check(text) } catch { throw .model(error) }
        guard model.count <= modelLimit else { throw .model(.tooLong) }
        return model
    }
}
