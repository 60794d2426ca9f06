import Synchronization

extension Device {
    private static let hook = Mutex<@Sendable () -> Void>({})

    /// What happens when an app calls `SKTerminateForInvalidReceipt()`; nothing unless it is set.
    ///
    /// On Apple's platforms the process ends with status 173 and the system fetches a receipt; a hook may do either.
    public static var onInvalidReceipt: @Sendable () -> Void {
        get { hook.withLock { $0 } }
        set { hook.withLock { $0 = newValue } }
    }
}
