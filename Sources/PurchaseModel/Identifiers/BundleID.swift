/// The bundle identifier of an app, such as `com.example.monkeyshop`.
public struct BundleID: WireIdentifier {
    /// The identifier as text.
    public let rawValue: String

    /// Creates an identifier from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
