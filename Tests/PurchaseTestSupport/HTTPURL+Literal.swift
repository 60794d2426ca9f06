public import PurchaseModel

/// String literals as URLs in tests. An invalid URL ends the process.
extension HTTPURL: ExpressibleByStringInterpolation {
    /// Creates a URL; traps if the text is not an `http` or `https` URL.
    public init(stringLiteral text: String) {
        guard let url = HTTPURL(text) else { fatalError("\(text) is not an http or https URL") }
        self = url
    }
}
