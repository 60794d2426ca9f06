/// The name of one file of a product's content, such as `book` or `extras`.
public struct ContentItemName: WireIdentifier {
    /// The name of the item of a product whose content is a single file.
    public static let main: ContentItemName = "main"

    /// The name as text.
    public let rawValue: String

    /// Creates a name from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
