import Foundation
import OpenStoreKit

/// The device from which a product or a transaction was loaded, held weakly.
///
/// All origins are equal, so that equal products or transactions of different devices are equal.
struct Origin: Hashable, Sendable {
    private weak let device: Device?

    init(_ device: Device?) {
        self.device = device
    }

    /// The device on which a method of the loaded value acts.
    ///
    /// It is the device of the current task, or else the device from which the value was loaded, or else the current device of the process.
    var activeDevice: Device? { Device.current ?? device ?? Device.active }

    static func == (one: Origin, other: Origin) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}

extension UUID {
    /// The UUID of zeros, for StoreKit properties that are not optional while the signed data contains no UUID.
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
