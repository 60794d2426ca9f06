/// The name of a kind of credits, such as `coins`.
public struct CurrencyID: WireIdentifier {
    /// The currency of products whose configuration names none.
    public static let credits: CurrencyID = "credits"

    /// The name as text.
    public let rawValue: String

    /// Creates a name from text, without validating the text.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}
