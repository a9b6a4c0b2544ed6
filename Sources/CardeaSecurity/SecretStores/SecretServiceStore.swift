#if os(Linux)
    import Foundation

    /// The keyring of a Linux desktop, by the Secret Service of freedesktop.org: GNOME's, KDE's, or KeePassXC.
    ///
    /// It never asks for the keyring's password: a locked one is `.locked` at once, also without a screen.
    public struct SecretServiceStore: SecretStore {
        private let environment: [String: String]
        private let timeout: Duration

        public var protection: ProtectionLevel { .full }

        /// - Parameters:
        ///   - environment: where the session bus is found, by `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR`.
        ///   - timeout: how long one of its calls may take; the first may have to start the keyring.
        public init(environment: [String: String] = ProcessInfo.processInfo.environment, timeout: Duration = .seconds(10)) {
            self.environment = environment
            self.timeout = timeout
        }

        /// Returns where a keyring is there, open or locked.
        public func check() async throws(SecretStoreError) {
            try await withKeyring { keyring throws(DBusError) in _ = try keyring.defaultCollection() }
        }

        public func save(_ secret: Secret, as name: String, for use: SecretAvailability) async throws(SecretStoreError) {
            try await withKeyring(name) { keyring throws(DBusError) in
                let (open, locked) = try keyring.items(name)
                if let item = open.first, try keyring.set(item, to: secret) { return }
                let collection = try keyring.defaultCollection()
                guard locked.isEmpty, try !keyring.isLocked(collection) else { throw Keyring.isLocked }
                try keyring.add(secret, as: name, to: collection)
            }
        }

        public func load(_ name: String) async throws(SecretStoreError) -> Secret {
            let value = try await withKeyring(name) { keyring throws(DBusError) -> [UInt8]? in
                let (open, locked) = try keyring.items(name)
                if let item = open.first { return try keyring.secret(of: item) }
                // A locked keyring may hide its items.
                guard locked.isEmpty, try !keyring.isLocked(keyring.defaultCollection()) else { throw Keyring.isLocked }
                return nil
            }
            guard let value else { throw .notFound(name: name) }
            guard let text = String(bytes: value, encoding: .utf8) else {
                throw .corrupted("What the keyring holds as \(name) is no text. Delete it and save it again.")
            }
            return Secret(text)
        }

        public func delete(_ name: String) async throws(SecretStoreError) {
            try await withKeyring(name) { keyring throws(DBusError) in
                let (open, locked) = try keyring.items(name)
                for item in open { try keyring.delete(item) }
                guard locked.isEmpty else { throw Keyring.isLocked }
                if open.isEmpty, try keyring.isLocked(keyring.defaultCollection()) { throw Keyring.isLocked }
            }
        }

        private func withKeyring<Answer: Sendable>(
            _ name: String = "", _ body: @escaping @Sendable (Keyring) throws(DBusError) -> Answer
        ) async throws(SecretStoreError) -> Answer {
            try await BlockingCall.run { [environment, timeout] () throws(SecretStoreError) in
                do throws(DBusError) {
                    return try body(Keyring(bus: DBusConnection(environment: environment, timeout: timeout)))
                } catch {
                    throw Self.storeError(error, name)
                }
            }
        }

        private static func storeError(_ problem: DBusError, _ name: String) -> SecretStoreError {
            switch problem {
            case .noConnection(let reason): .unavailable(reason: reason)
            case .noAnswer: .unavailable(reason: "the keyring does not answer")
            case .malformed: .unexpectedStatus(code: "what the Secret Service does not say")
            case .refused("org.freedesktop.Secret.Error.IsLocked"):
                .locked("The keyring is locked. Unlock it, as by signing in to the desktop, and try again.")
            case .refused("org.freedesktop.Secret.Error.NoSuchObject"): .notFound(name: name)
            case .refused("org.freedesktop.DBus.Error.AccessDenied"):
                .denied("The keyring does not let this program in. Allow it in the keyring's settings.")
            case .refused(Keyring.none): .unavailable(reason: "no keyring has been made yet; the desktop's password manager makes one")
            case .refused(let error) where error.hasPrefix("org.freedesktop.DBus.Error."):
                .unavailable(
                    reason: "no program on the session bus keeps secrets (\(error.dropFirst("org.freedesktop.DBus.Error.".count)))")
            case .refused(let error): .unexpectedStatus(code: error)
            }
        }
    }

    /// The calls to the Secret Service.
    private struct Keyring {
        let bus: DBusConnection

        static let none = "cardea.NoDefaultKeyring"
        static let isLocked = DBusError.refused(name: "org.freedesktop.Secret.Error.IsLocked")

        private static let root = "/org/freedesktop/secrets"

        func defaultCollection() throws(DBusError) -> String {
            var answer = try call("ReadAlias", on: Self.root, of: "Service", taking: "s", { $0.string("default") }, answer: "o")
            let collection = try answer.string()
            guard collection != "/" else { throw .refused(name: Self.none) }
            return collection
        }

        func isLocked(_ collection: String) throws(DBusError) -> Bool {
            var answer = try bus.call(
                "Get", on: collection, of: "org.freedesktop.DBus.Properties", at: "org.freedesktop.secrets", taking: "ss",
                { arguments in
                    arguments.string("org.freedesktop.Secret.Collection")
                    arguments.string("Locked")
                }, answer: "v")
            guard try answer.signature() == "b" else { throw .malformed }
            return try answer.boolean()
        }

        func items(_ name: String) throws(DBusError) -> (open: [String], locked: [String]) {
            var answer = try call(
                "SearchItems", on: Self.root, of: "Service", taking: "a{ss}", { $0.strings(Self.attributes(name)) }, answer: "aoao")
            return (try answer.strings(), try answer.strings())
        }

        func secret(of item: String) throws(DBusError) -> [UInt8] {
            let session = try session()
            var answer = try call("GetSecret", on: item, of: "Item", taking: "o", { $0.string(session) }, answer: "(oayays)")
            _ = try (answer.string(), answer.data())
            return try answer.data()
        }

        /// Returns false if the bus does not know the item: GNOME's keyring lists a new one a moment before it is on the bus, and one
        /// that was listed may be gone.
        func set(_ item: String, to secret: Secret) throws(DBusError) -> Bool {
            let session = try session()
            do throws(DBusError) {
                _ = try call("SetSecret", on: item, of: "Item", taking: "(oayays)", { Self.write(secret, session, &$0) }, answer: "")
                return true
            } catch {
                guard case .refused("org.freedesktop.DBus.Error.UnknownMethod") = error else { throw error }
                return false
            }
        }

        func add(_ secret: Secret, as name: String, to collection: String) throws(DBusError) {
            let session = try session()
            var answer = try call(
                "CreateItem", on: collection, of: "Collection", taking: "a{sv}(oayays)b",
                { arguments in
                    arguments.array(alignedTo: 8) { properties in
                        properties.align(8)
                        properties.string("org.freedesktop.Secret.Item.Label")
                        properties.variant("s") { $0.string("Cardea: \(name)") }
                        properties.align(8)
                        properties.string("org.freedesktop.Secret.Item.Attributes")
                        properties.variant("a{ss}") { $0.strings(Self.attributes(name)) }
                    }
                    Self.write(secret, session, &arguments)
                    // Replaces an item that another program may have added meanwhile.
                    arguments.boolean(true)
                }, answer: "oo")
            _ = try answer.string()
            try refusePrompt(answer.string())
        }

        func delete(_ item: String) throws(DBusError) {
            var answer = try call("Delete", on: item, of: "Item", answer: "o")
            try refusePrompt(answer.string())
        }

        /// Refuses a keyring's prompt. A keyring that wants to prompt has done nothing yet.
        private func refusePrompt(_ prompt: String) throws(DBusError) {
            guard prompt == "/" else { throw Self.isLocked }
        }

        /// Opens a session that sends secrets unencrypted: the bus is a socket of this user's, and a program that may listen there may ask
        /// the keyring, too.
        private func session() throws(DBusError) -> String {
            var answer = try call(
                "OpenSession", on: Self.root, of: "Service", taking: "sv",
                { arguments in
                    arguments.string("plain")
                    arguments.variant("s") { $0.string("") }
                }, answer: "vo")
            guard try answer.signature() == "s" else { throw .malformed }
            _ = try answer.string()
            return try answer.string()
        }

        private func call(
            _ member: String, on path: String, of interface: String, taking signature: String = "",
            _ arguments: (inout DBusWriter) -> Void = { _ in }, answer: String
        ) throws(DBusError) -> DBusReader {
            try bus.call(
                member, on: path, of: "org.freedesktop.Secret.\(interface)", at: "org.freedesktop.secrets", taking: signature, arguments,
                answer: answer)
        }

        private static func write(_ secret: Secret, _ session: String, _ arguments: inout DBusWriter) {
            arguments.align(8)
            arguments.string(session)
            arguments.data([])
            arguments.data(secret.reveal().utf8)
            arguments.string("text/plain; charset=utf8")
        }

        private static func attributes(_ name: String) -> [(String, String)] {
            [("service", SecretStoreSelection.service), ("account", name)]
        }
    }
#endif
