/// Asks for what a device still has to deal with, a page at a time.
public struct UnfinishedRequest: Codable, Hashable, Sendable {
    /// Where the last page ended (``UnfinishedReply/next``); nil for the first.
    public var after: String?
    /// The app's version on the device, which an update may have changed since the sign-in; nil for the one that the store knows.
    public var appVersion: String?

    /// Creates a request.
    public init(after: String? = nil, appVersion: String? = nil) {
        self.after = after
        self.appVersion = appVersion
    }
}
