import Foundation
import NIOSSL

/// Checks a certificate's file, whether the hub runs or not, and says how to mend a problem.
public enum CertificateExpiryCheck {
    /// Seconds before its end from which a warning is given.
    static let warningPeriod: TimeInterval = 30 * 86_400

    /// The certificate that a hub makes itself, in the house's folder.
    public static func ownCertificateURL(in folder: URL) -> URL { folder.appending(path: "tls.crt") }

    /// - Parameter isOwn: whether the hub makes it. Where it never served TLS there is none.
    /// - Returns: nil if there is nothing to be done.
    public static func warning(of file: URL, isOwn: Bool, at now: Date) -> String? {
        if isOwn, !FileManager.default.fileExists(atPath: file.path) { return nil }
        guard let leaf = try? NIOSSLCertificate.fromPEMFile(file.path).first else {
            return isOwn
                ? "The hub's certificate \(file.path) cannot be read. Start the hub again: it makes another one, by the same key."
                : "There is no certificate in \(file.path) that can be read. Put one there in PEM, with its chain."
        }
        let end = Date(timeIntervalSince1970: TimeInterval(leaf.notValidAfter))
        guard end < now.addingTimeInterval(warningPeriod) else { return nil }
        let when = "\(end < now ? "ended on" : "ends on") \(end.formatted(.iso8601))"
        return isOwn
            ? "The hub's certificate \(when). The hub makes the next one while it serves, by the same key: where it serves, its log says why it did not."
            : "The certificate \(file.path) \(when). Have it renewed: the hub reads the file again by itself."
    }
}
