/// The country's store that an account buys in.
public struct Storefront: Codable, Hashable, Sendable {
    /// ISO 3166-1 alpha-3, such as `USA`.
    public var countryCode: String
    /// The store's number, such as `143441`.
    public var id: String
    /// ISO 4217 code of what it charges in.
    public var currency: String
    /// The locale of titles and prices.
    public var locale: String

    /// Creates a storefront.
    public init(countryCode: String, id: String, currency: String, locale: String) {
        self.countryCode = countryCode
        self.id = id
        self.currency = currency
        self.locale = locale
    }

    /// The store of the United States, which `.storekit` files mean unless they say otherwise.
    public static let unitedStates = Storefront(countryCode: "USA", id: "143441", currency: "USD", locale: "en_US")
}
