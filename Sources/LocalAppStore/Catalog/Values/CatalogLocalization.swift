/// The texts of a product or a subscription group in one language.
public struct CatalogLocalization: Codable, Hashable, Sendable {
    /// The locale of the texts, with or without a country, such as `en_US` or `ko`.
    public var locale: String
    /// The display name of the product or the group.
    public var name: String
    /// The description of a product; the custom app name of a subscription group.
    public var summary: String

    /// Creates a localization.
    public init(locale: String, name: String, summary: String = "") {
        self.locale = locale
        self.name = name
        self.summary = summary
    }
}
