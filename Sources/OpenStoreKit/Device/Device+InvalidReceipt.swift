import Synchronization

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
