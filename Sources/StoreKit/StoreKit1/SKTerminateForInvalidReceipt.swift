import OpenStoreKit

/// What an app calls whose receipt is not valid.
///
/// On Apple's platforms the process ends with status 173, and the system fetches a receipt. Here `Device.onInvalidReceipt` is called,
/// and the function returns.
public func SKTerminateForInvalidReceipt() {
    Device.onInvalidReceipt()
}
