import OpenStoreKit

/// Calls `Device.onInvalidReceipt`, in which an app with an invalid receipt can terminate itself.
///
/// On Apple's platforms, the function ends the process with status 173, and the system fetches a new receipt. On Linux, the function
/// returns after the call.
public func SKTerminateForInvalidReceipt() {
    Device.onInvalidReceipt()
}
