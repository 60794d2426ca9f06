/// The apps that a store sells for.
public struct AppsReply: Codable, Hashable, Sendable {
    /// By bundle identifier.
    public var apps: [AppDescription]

    /// Creates a reply.
    public init(apps: [AppDescription]) {
        self.apps = apps
    }
}
