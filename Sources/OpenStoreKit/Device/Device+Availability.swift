import Synchronization

/// Support for StoreKit listeners that start before the app has configured a device.
extension Device {
    private static let availability = Broadcast<Void>()

    /// Notifies the callers of ``nextAvailable()`` that a device may have become available.
    package static func announceAvailability() {
        availability.announce((), buffering: false)
    }

    /// Waits until a device is available to the caller, and returns the device, or nil if the task is canceled first.
    ///
    /// The device of another test's session is not available to the caller: a listener that started before its own test session would
    /// receive and finish the transactions of the other test.
    package static func nextAvailable() async -> Device? {
        while true {
            // The stream starts before the check, so that an announcement right after the check is not missed.
            var availability = availability.stream().makeAsyncIterator()
            if let device = unshared { return device }
            guard await availability.next() != nil else { return nil }
        }
    }
}

extension Device {
    private static let hook = Mutex<@Sendable () -> Void>({})

    /// The closure that `SKTerminateForInvalidReceipt()` calls; by default, the closure does nothing.
    ///
    /// On Apple's platforms, `SKTerminateForInvalidReceipt()` ends the process with status 173, and the system fetches a new receipt.
    public static var onInvalidReceipt: @Sendable () -> Void {
        get { hook.withLock { $0 } }
        set { hook.withLock { $0 = newValue } }
    }
}
