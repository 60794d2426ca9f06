/// The bundle identifier of an app, such as `com.example.monkeyshop`.
public struct BundleID: WireIdentifier {
    /// The identifier as it travels.
    public let rawValue: String

    /// Wraps a text that is known to be such an identifier.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
