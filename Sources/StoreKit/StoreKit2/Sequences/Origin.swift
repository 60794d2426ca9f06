import OpenStoreKit

/// The device that a value came from.
///
/// It says nothing about the value, so that all are equal.
struct Origin: Hashable, Sendable {
    private weak let device: Device?

    init(_ device: Device?) {
        self.device = device
    }

    /// The device that does what the value is asked to do: the task's, the value's own, or the process's.
    var serving: Device? { Device.current ?? device ?? Device.active }

    static func == (one: Origin, other: Origin) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
