import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import Testing

/// Buttons, tags of each kind for them, and the results of taps.
extension TestHouse {
    /// A button; by default one that opens the front door.
    func button(_ device: String = "front-door", _ action: String = "unlock", by owner: Principal) async throws -> Button {
        let draft = Buttons.Draft(title: "Button", action: .init(deviceID: device, action: action))
        return try await hub.buttons.add(draft, by: owner, call: nil, origin: .house).0
    }

    /// A tag for a button; by default a copyable one.
    func tag(
        for button: Button, _ nature: Tags.Draft.Technology = .memory, label: String? = nil, pending: Tags.Draft.Pending? = nil,
        call: IdempotencyKey? = nil, by owner: Principal
    ) async throws -> Tags.NewTag {
        let draft = Tags.Draft(pressing: .button(button.id), label: label, nature: nature, pending: pending)
        return try await hub.tags.add(draft, by: owner, call: call, origin: .house)
    }

    /// A tag that proves its touches with keys made by the house, and its chip.
    func sunTag(
        for button: Button, uid: Data = SoftwareTag.oneUID, pending: Tags.Draft.Pending? = nil, by owner: Principal
    ) async throws -> (tag: CardeaModel.Tag, chip: SoftwareTag) {
        let nature = Tags.Draft.Technology.sun(uid: uid, meta: nil, file: nil, names: .standard)
        let added = try await tag(for: button, nature, pending: pending, by: owner)
        return (added.tag, SoftwareTag(uid: uid, meta: try #require(added.meta), file: try #require(added.file)))
    }

    /// The reason why a tap is refused; nil if it was accepted and has ended.
    ///
    /// - Parameter isConfirmed: true if the person also confirmed.
    func tap(_ link: String, by who: Principal, isConfirmed: Bool = false) async throws -> TagRefusal? {
        switch try await hub.tapHandler.handle(link, isConfirmed: isConfirmed, by: who, origin: .house).outcome {
        case .refused(let refusal, _): return refusal
        case .denied(let refusal, _): throw refusal
        case .admitted(let command, _):
            _ = try await hub.commands.outcome(of: command)
            return nil
        }
    }
}

extension CardeaModel.Tag {
    /// The URL written on the tag. On a tag that proves its taps, the part before the proof.
    var place: String { "https://house.example/t/\(id)" }
}

extension SoftwareTag {
    static let oneUID = Data([0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40])
    static let otherUID = Data([0x04, 0x95, 0x8C, 0xAA, 0x5C, 0x5E, 0x80])
}
