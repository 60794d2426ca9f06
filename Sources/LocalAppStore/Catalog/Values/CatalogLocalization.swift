/// The texts of a product or a group in one language.
public struct CatalogLocalization: Codable, Hashable, Sendable {
    /// The language, with a country or without: `en_US`, `ko`.
    public var locale: String
    /// The name; for a group, what customers see it called.
    public var name: String
    /// The description; for a group, the name of the app that goes with it.
    public var summary: String

    /// Creates texts.
    public init(locale: String, name: String, summary: String = "") {
        self.locale = locale
        self.name = name
        self.summary = summary
    }
}
