import OpenStoreKit

/// The device from which a value was loaded.
///
/// All origins are equal, so that an origin does not affect the equality of its value.
struct Origin: Hashable, Sendable {
    private weak let device: Device?

    init(_ device: Device?) {
        self.device = device
    }

    /// The device that carries out the operations of the value: the task's, or else the value's, or else the process's.
    var activeDevice: Device? { Device.current ?? device ?? Device.active }

    static func == (one: Origin, other: Origin) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
