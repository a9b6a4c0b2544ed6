import CardeaModel
import CardeaSecurity
import Foundation

extension Cameras {
    /// The wanted settings of a camera. A nil property is left unchanged.
    public struct Draft: Sendable {
        public var name: String?
        public var isEnabled: Bool?
        public var source: EndpointDraft?
        public var detection: CameraDetection?

        public init(name: String? = nil, isEnabled: Bool? = nil, source: EndpointDraft? = nil, detection: CameraDetection? = nil) {
            self.name = name
            self.isEnabled = isEnabled
            self.source = source
            self.detection = detection
        }
    }

    /// The address of a camera as it was typed. User and password may be in the URL or separate.
    public struct EndpointDraft: Sendable {
        public var kind: String
        public var url: String
        public var user: String?
        public var password: Secret?
        public var name: String?
        public var token: Secret?

        public init(
            kind: String, url: String, user: String? = nil, password: Secret? = nil, name: String? = nil, token: Secret? = nil
        ) {
            self.kind = kind
            self.url = url
            self.user = user
            self.password = password
            self.name = name
            self.token = token
        }

        /// The parsed source. Throws `CameraError.source` for an invalid field.
        func validated() throws -> CameraSource {
            guard let kind = CameraSourceKind(rawValue: kind) else {
                throw CameraError.source("kind", "must be one of \(CameraSourceKind.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            let address: CameraAddress
            do { address = try CameraAddress(url, schemes: kind.schemes) } catch { throw CameraError.source("url", error.message) }
            for (field, text) in [("username", user), ("password", password?.reveal()), ("token", token?.reveal())] {
                guard let text else { continue }
                guard !text.isEmpty, Self.isSingleLine(text) else {
                    throw CameraError.source(field, "must have 1 to 512 characters on one line")
                }
            }
            for text in [address.user, address.password].compactMap(\.self) {
                guard Self.isSingleLine(text) else {
                    throw CameraError.source("url", "must have user name and password of at most 512 characters each, on one line")
                }
            }
            if [.frigate, .homeAssistant].contains(kind) {
                guard let name, (1...128).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNameByte), !name.contains("..") else {
                    throw CameraError.source("camera", "must be the camera's name in that system, such as front_door or camera.front_door")
                }
            } else if name != nil {
                throw CameraError.source("camera", "is only for kind frigate or home_assistant. Remove it")
            }
            guard (kind == .homeAssistant) == (token != nil) else {
                throw CameraError.source(
                    "token", kind == .homeAssistant ? "is required for kind home_assistant" : "is only for kind home_assistant. Remove it")
            }
            let (user, password) = (user ?? address.user, password ?? address.password.map { Secret($0) })
            guard user != nil || password == nil else { throw CameraError.source("username", "is required together with password") }
            guard token == nil || user == nil else { throw CameraError.source("username", "must not be sent together with a token") }
            return CameraSource(kind: kind, address: address, user: user, password: password, name: name, token: token)
        }

        /// Values sent in a request header to a camera must be a single line.
        private static func isSingleLine(_ text: String) -> Bool {
            text.utf8.count <= 512 && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }

        /// The bytes that a path component may contain without being encoded.
        private static func isNameByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
