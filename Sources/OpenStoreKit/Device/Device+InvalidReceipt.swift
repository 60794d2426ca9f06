import Synchronization

extension Device {
    private static let hook = Mutex<@Sendable () -> Void>({})

    /// The action of `SKTerminateForInvalidReceipt()`; without a value, the call does nothing.
    ///
    /// On Apple's platforms, the process ends with status 173, and the system fetches a receipt.
    public static var onInvalidReceipt: @Sendable () -> Void {
        get { hook.withLock { $0 } }
        set { hook.withLock { $0 = newValue } }
    }
}
