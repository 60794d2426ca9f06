public import PurchaseModel

/// In tests a URL may be written as text, with a port in it; one that is none ends the test.
extension HTTPURL: ExpressibleByStringInterpolation {
    /// Reads the text.
    public init(stringLiteral text: String) {
        guard let url = HTTPURL(text) else { fatalError("\(text) is not an http or https URL") }
        self = url
    }
}
