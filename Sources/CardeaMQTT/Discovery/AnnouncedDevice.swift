import CardeaModel

/// The device an entity belongs to.
struct AnnouncedDevice: Hashable, Sendable {
    /// The device's own identifiers and connections, in this order.
    let names: [DeviceIdentifier]
    let name: String
    /// False if the announcement gives the device no name, and it is called by its entity.
    let isNamed: Bool
    let manufacturer: String?
    let model: String?
    let suggestedArea: String?
    let softwareVersion: String?
    /// An identifier of the device through which this one is reached.
    let viaDevice: String?

    /// The most identifiers and connections that are read of one announcement.
    static let nameLimit = 16

    /// The device with omitted details added from before: many describe themselves fully in their first announcement only.
    func completed(by before: AnnouncedDevice?) -> AnnouncedDevice {
        guard let before else { return self }
        return AnnouncedDevice(
            names: names, name: isNamed || !before.isNamed ? name : before.name, isNamed: isNamed || before.isNamed,
            manufacturer: manufacturer ?? before.manufacturer, model: model ?? before.model,
            suggestedArea: suggestedArea ?? before.suggestedArea, softwareVersion: softwareVersion ?? before.softwareVersion,
            viaDevice: viaDevice ?? before.viaDevice)
    }
}
