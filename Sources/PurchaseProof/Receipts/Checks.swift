public import PurchaseModel

/// Refuses receipts issued for another app.
public struct BundleCheck: ReceiptCheck {
    /// Creates the check for one app.
    public init(_ bundleID: BundleID) { fatalError("stub") }
    /// Throws unless the bundle is ours.
    public func examine(_ payload: ReceiptPayload) throws(ReceiptError) {}
}

/// Refuses receipts from other environments.
public struct EnvironmentCheck: ReceiptCheck {
    /// Creates the check.
    public init(_ environments: Set<AppEnvironment>) { fatalError("stub") }
    /// Throws unless the environment is among ours.
    public func examine(_ payload: ReceiptPayload) throws(ReceiptError) {}
}

/// Refuses receipts made for another device.
public struct DeviceHashCheck: ReceiptCheck {
    /// Creates the check for one device.
    public init(_ device: DeviceID) { fatalError("stub") }
    /// Throws unless the device hash is ours.
    public func examine(_ payload: ReceiptPayload) throws(ReceiptError) {}
}

/// Refuses receipts whose validity has ended.
public struct ExpiryCheck: ReceiptCheck {
    /// Creates the check with the clock that says what time it is.
    public init(clock: any WallClock) { fatalError("stub") }
    /// Throws when attribute 21 is past.
    public func examine(_ payload: ReceiptPayload) throws(ReceiptError) {}
}
