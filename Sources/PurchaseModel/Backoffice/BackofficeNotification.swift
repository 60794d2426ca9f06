/// A notification as a person sees it.
public struct BackofficeNotification: Hashable, Sendable {
    /// When it was signed.
    public var date: Timestamp
    /// Its identifier.
    public var uuid: String
    /// Type and subtype, such as `DID_RENEW BILLING_RECOVERY`.
    public var kind: String
    /// What became of it in a word or two, such as `delivered` or `applied`.
    public var state: String

    /// Creates a row.
    public init(date: Timestamp, uuid: String, kind: String, state: String) {
        self.date = date
        self.uuid = uuid
        self.kind = kind
        self.state = state
    }
}
