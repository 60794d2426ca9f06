public import PurchaseModel

/// Refuses receipts issued for another app.
public struct BundleCheck: ReceiptCheck {
    let bundleID: BundleID

    /// Creates the check for one app.
    ///
    /// Write the identifier in the code: an `Info.plist` can be edited.
    public init(_ bundleID: BundleID) {
        self.bundleID = bundleID
    }

    /// Names what is looked at.
    public var name: String { "bundle" }

    /// The rule: the bundle is ours.
    public var rule: String { "It is for \(bundleID)." }

    /// The receipt's bundle.
    public func saw(_ payload: ReceiptPayload) -> String { payload.bundleID.rawValue }

    /// Throws ``Refusal/Reason/foreignBundle(_:)`` unless the bundle is ours.
    public func examine(_ payload: ReceiptPayload) throws(Refusal) {
        guard payload.bundleID == bundleID else { throw Refusal(.foreignBundle(payload.bundleID), at: "receipt.2") }
    }
}
