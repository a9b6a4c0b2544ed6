import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation

extension TestHouse {
    /// A phone that requests pairing.
    public func phone(_ name: String = "Ada's phone", deviceID: String = UUID().uuidString) throws -> PhoneDescription {
        try PhoneDescription(deviceID: deviceID, name: name, model: "iPhone 17", platform: .ios)
    }

    /// A phone paired for a person.
    public func paired(
        _ phone: PhoneDescription, by who: Principal, origin: RequestOrigin = .house
    ) async throws -> (who: Principal, tokens: SessionTokens) {
        let asked = try await hub.phonePairings.request(phone, origin: origin)
        _ = try await hub.phonePairings.confirm(asked.digits.reveal(), by: who, origin: .house)
        let tokens = try await hub.phonePairings.redeem(
            .init(digits: asked.digits.reveal(), deviceID: phone.deviceID, secret: asked.secret), origin: origin)
        return (try await hub.sessions.authenticate(tokens.access), tokens)
    }
}
