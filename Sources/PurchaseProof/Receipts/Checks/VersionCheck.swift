/// Refuses receipts issued for another version of the app.
///
/// An app on a device asks this, with the version written in its code; a server, which serves many versions, does not.
public struct VersionCheck: ReceiptCheck {
    private let version: String

    /// Creates the check for one version: `CFBundleVersion` on iOS, `CFBundleShortVersionString` on macOS.
    public init(_ version: String) {
        self.version = version
    }

    /// Names what is looked at.
    public var name: String { "version" }

    /// The rule: the version is ours.
    public var rule: String { "The receipt is for version \(version)." }

    /// The receipt's version of the app.
    public func saw(_ payload: ReceiptPayload) -> String { payload.appVersion }

    /// Throws ``Refusal/Reason/foreignVersion(_:)`` unless the version is ours.
    public func examine(_ payload: ReceiptPayload) throws(Refusal) {
        guard payload.appVersion.utf8.elementsEqual(version.utf8) else {
            throw Refusal(.foreignVersion(payload.appVersion), at: "receipt.3")
        }
    }
}
