import Crypto
import Foundation

/// An envelope for commands to a device. By it the device verifies the sender, the addressee and the time, and detects repeats
/// (`docs/firmware.md`).
///
/// One line of JSON: `{"command":…,"device":…,"id":…,"mac":…,"time":…}`. The seed's own one-time password is bound to no command and can be
/// repeated within its five seconds; the MAC here is bound to all of the fields.
public enum CommandEnvelope {
    /// Seconds between the two clocks beyond which a device refuses, either way.
    public static let clockTolerance = 30

    /// - Parameters:
    ///   - id: the command's, by which a device recognises a repeated one.
    ///   - device: the topic that it listens to.
    public static func seal(_ command: String, id: String, at moment: Date, device: String, _ key: ButtonSecret) throws -> Data {
        let time = Int64(moment.timeIntervalSince1970.rounded(.down))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(
            Body(command: command, device: device, id: id, mac: mac(command, id: id, time: time, device: device, key), time: time))
    }

    /// In this order, one line each, with the command at the end: the only one that may contain line breaks.
    static func mac(_ command: String, id: String, time: Int64, device: String, _ key: ButtonSecret) -> String {
        let statement = "\(scheme)\n\(device)\n\(id)\n\(time)\n\(command)"
        return Hexadecimal.encode(HMAC<SHA256>.authenticationCode(for: Data(statement.utf8), using: key.key))
    }

    private static let scheme = "cardea-command-1"

    private struct Body: Encodable {
        let command: String
        let device: String
        let id: String
        let mac: String
        let time: Int64
    }
}
