/// The texts of a product or a group in one language.
public struct CatalogLocalization: Codable, Hashable, Sendable {
    /// The locale, with or without a country: `en_US`, `ko`.
    public var locale: String
    /// The display name of the product or the group.
    public var name: String
    /// The description of a product; for a group, the custom app name.
    public var summary: String

    /// Creates a localization.
    public init(locale: String, name: String, summary: String = "") {
        self.locale = locale
        self.name = name
        self.summary = summary
    }
}
