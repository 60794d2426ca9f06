/// The country or region of the App Store that an account buys in.
public struct Storefront: Codable, Hashable, Sendable {
    /// The country or region code, ISO 3166-1 alpha-3, such as `USA`.
    public var countryCode: String
    /// The storefront's identifier, such as `143441`.
    public var id: String
    /// The ISO 4217 code of the storefront's currency.
    public var currency: String
    /// The locale of product titles and prices, such as `en_US`.
    public var locale: String

    /// Creates a storefront.
    public init(countryCode: String, id: String, currency: String, locale: String) {
        self.countryCode = countryCode
        self.id = id
        self.currency = currency
        self.locale = locale
    }

    /// The storefront of the United States, which is the default of `.storekit` files.
    public static let unitedStates = Storefront(countryCode: "USA", id: "143441", currency: "USD", locale: "en_US")
}
