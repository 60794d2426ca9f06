import OpenStoreKit

/// Terminates an app whose receipt is not valid, if `Device.onInvalidReceipt` does so.
///
/// On Apple's platforms the process ends with status 173, and the system fetches a receipt. Here `Device.onInvalidReceipt` is called,
/// and the function returns.
public func SKTerminateForInvalidReceipt() {
    Device.onInvalidReceipt()
}
