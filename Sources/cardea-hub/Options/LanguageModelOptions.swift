import ArgumentParser
import CardeaLanguageModel
import CardeaSecurity
import Foundation

/// An OpenAI-compatible endpoint, set by four options. Without them nothing is sent.
struct LanguageModelOptions {
    /// The common prefix of the four options: `--describer`.
    let option: String
    let url: String?
    let model: String?
    let keyFile: String?
    let authorities: String?

    func validate() throws {
        guard let url else {
            guard model == nil, keyFile == nil, authorities == nil else {
                throw ValidationError("\(option)-model, \(option)-key-file and \(option)-ca need \(option)-url.")
            }
            return
        }
        guard LanguageModelAddress(url) != nil else {
            throw ValidationError(
                """
                \(option)-url needs a base URL such as https://api.example.org/v1, without a user name, query or fragment. http:// works \
                only for this machine and your own network, such as http://192.168.1.5:11434/v1.
                """)
        }
        guard let model, (1...200).contains(model.utf8.count) else {
            throw ValidationError("\(option)-url needs \(option)-model, the endpoint's name for the model.")
        }
    }

    /// nil if no endpoint is set.
    func settings() throws -> LanguageModelSettings? {
        guard let address = url.flatMap({ LanguageModelAddress($0) }), let model else { return nil }
        return LanguageModelSettings(
            address: address, model: model, key: try keyFile.map(key), authorities: authorities.map { URL(filePath: $0) })
    }

    /// Builds a client with `make`, and reports its error as one of the certificate option.
    func build<Asker>(_ make: () throws -> Asker) throws -> Asker {
        // Only the CA file can still be wrong here.
        do { return try make() } catch { throw ValidationError("\(option)-ca needs a file with certificates in PEM.") }
    }

    /// The key in the file. Only printable ASCII without spaces is accepted, so that it cannot split a header.
    private func key(at path: String) throws -> Secret {
        guard let text = try? String(contentsOf: URL(filePath: path), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines),
            (1...4096).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw ValidationError("\(option)-key-file needs a file with one line, the key.") }
        return Secret(text)
    }
}
