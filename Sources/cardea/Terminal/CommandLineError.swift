import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaNFC
import CardeaSecurity
import Foundation

/// The reason why a command failed: a sentence for a person, a code for a script, a status for the shell.
struct CommandLineError: Error {
    var status: ExitStatus
    var code: String
    var message: String
    var details: [String: JSONValue] = [:]
    var requestID: String?
    var retryAfter: Duration?

    static func usage(_ message: String) -> CommandLineError { CommandLineError(status: .usage, code: "usage", message: message) }

    static func refused(_ code: String, _ message: String, details: [String: JSONValue] = [:]) -> CommandLineError {
        CommandLineError(status: .refused, code: code, message: message, details: details)
    }

    static let notSignedIn = CommandLineError(
        status: .notSignedIn, code: "unauthorized",
        message: "You are not signed in here. Run `cardea login`, or `cardea pair` if you were given a pass.")

    /// A program's token is not good any more. Signing in would change nothing while the variable is set.
    static func apiTokenInvalid(in file: String) -> CommandLineError {
        CommandLineError(
            status: .notSignedIn, code: "unauthorized",
            message: """
                The program's token in \(file) (CARDEA_TOKEN_FILE) is not valid for this house: it was revoked or has expired. \
                Make a new one where you are signed in: env -u CARDEA_TOKEN_FILE cardea tokens make NAME
                """)
    }
}

extension CommandLineError {
    /// The house's answer, in the words of `words`.
    init(_ error: APIError, words: RefusalText) {
        let help = error.code == "step_up_required" ? " Run `cardea step-up`." : ""
        self.init(
            status: Self.status(of: error), code: error.code, message: words.sentence(for: error) + help, details: error.details,
            requestID: error.requestID, retryAfter: error.retryAfter)
    }

    /// - Parameter mayHaveChanged: whether something was sent before that changes the house. Then an answer that did not come leaves open
    ///   whether it was done.
    init(_ error: ClientError, words: RefusalText, mayHaveChanged: Bool = false) {
        switch error {
        case .api(let answer): self.init(answer, words: words)
        case .unauthorized:
            self.init(
                status: .notSignedIn, code: "unauthorized", message: "You are not signed in, or your session has ended. Run `cardea login`."
            )
        case .timeout where mayHaveChanged, .interrupted where mayHaveChanged:
            self.init(status: .unknown, code: "outcome_unknown", message: "We are not sure it was done. \(error.text)")
        case .noConnection where mayHaveChanged, .untrusted where mayHaveChanged:
            self.init(status: .unknown, code: "outcome_unknown", message: CommandText.plain.connectionLost)
        case .circuitOpen(_, let retryAfter):
            self.init(status: .tryLater, code: "hub_resting", message: error.text, retryAfter: retryAfter)
        case .noConnection, .untrusted, .timeout, .interrupted:
            self.init(status: .unreachable, code: "no_connection", message: error.text)
        case .insecureConnection: self.init(status: .usage, code: "insecure_connection", message: error.text)
        case .invalidURL, .invalidRequest: self.init(status: .usage, code: "usage", message: error.text)
        case .invalidResponse: self.init(status: .unreachable, code: "invalid_response", message: error.text)
        case .storage: self.init(status: .refused, code: "storage", message: error.text)
        case .cancelled: self.init(status: .refused, code: "cancelled", message: error.text)
        }
    }

    init(_ error: GuestAccessError, words: RefusalText, mayHaveChanged: Bool = false) {
        switch error {
        case .refused(let answer): self.init(answer, words: words)
        case .client(let error): self.init(error, words: words, mayHaveChanged: mayHaveChanged)
        case .outcomeUnknown(let answer):
            self.init(
                status: .unknown, code: "outcome_unknown", message: error.text, details: answer?.details ?? [:],
                requestID: answer?.requestID)
        }
    }

    /// Converts any error of a command.
    ///
    /// - Parameter tokenFile: the file with the program's token.
    init(any error: any Error, words: RefusalText, mayHaveChanged: Bool = false, tokenFile: String? = nil) {
        switch error {
        case let failure as CommandLineError: self = failure
        case let error as ClientError:
            if let tokenFile, error == .unauthorized {
                self = .apiTokenInvalid(in: tokenFile)
            } else {
                self.init(error, words: words, mayHaveChanged: mayHaveChanged)
            }
        case let error as GuestAccessError: self.init(error, words: words, mayHaveChanged: mayHaveChanged)
        case let error as SecretStoreError: self.init(status: .refused, code: "storage", message: error.description)
        case let problem as PINError: self.init(problem)
        case let problem as PCSCError: self.init(problem)
        case let problem as NFCTagError: self.init(problem)
        case let problem as NTAG424.ChipError: self.init(problem)
        case let problem as EV2Session.SessionError: self.init(problem)
        default: self.init(status: .refused, code: "internal", message: error.localizedDescription)
        }
    }

    private init(_ problem: PINError) {
        switch problem {
        case .invalid: self.init(status: .usage, code: "usage", message: problem.description)
        case .wrong: self.init(status: .refused, code: "pin_wrong", message: problem.description)
        case .erased: self.init(status: .refused, code: "pin_erased", message: problem.description)
        case .wait(let seconds):
            self.init(
                status: .tryLater, code: "pin_wait", message: problem.description, retryAfter: .seconds(Int(seconds.rounded(.up))))
        }
    }

    private static func status(of error: APIError) -> ExitStatus {
        switch (error.status, error.code) {
        case (401, "unauthorized"), (401, "missing_bearer_token"), (401, "person_erased"): .notSignedIn
        case (429, _), (503, _), (507, _), (_, "in_flight"): .tryLater
        case (504, _): .unknown
        default: .refused
        }
    }
}

extension CommandLineError {
    /// The error as `--json` prints it.
    var jsonBody: some Encodable {
        var content: [String: JSONValue] = ["code": .string(code), "message": .string(message), "details": .object(details)]
        content["request_id"] = requestID.map { .string($0) }
        content["retry_after"] = retryAfter.map { .number(Double($0.components.seconds)) }
        return JSONValue.object(["error": .object(content)])
    }
}
