import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// Virtual devices that can simulate faults.
public protocol VirtualDeviceFaults: Sendable {
    /// nil when there is no such fault, false when there is no such device.
    func set(fault: String, on deviceID: String) async throws -> Bool?
}
