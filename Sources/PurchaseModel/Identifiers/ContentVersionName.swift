/// The name of a version of a content item, such as `1.2`, which the developer chooses.
public struct ContentVersionName: WireIdentifier {
    /// The name as text.
    public let rawValue: String

    /// Creates a name from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
