/// The license agreement and the privacy policies of a `.storekit` file, which subscription views show.
public struct CatalogPolicies: Codable, Hashable, Sendable {
    /// The privacy policy in one language.
    public struct Policy: Codable, Hashable, Sendable {
        /// The locale of the privacy policy, such as `en_US`.
        public var locale: String
        /// The text of the privacy policy.
        public var text: String
        /// The URL of the privacy policy.
        public var url: String

        /// Creates a privacy policy.
        public init(locale: String, text: String, url: String) {
            self.locale = locale
            self.text = text
            self.url = url
        }
    }

    /// The text of the license agreement.
    public var eula: String
    /// The privacy policies, one for each language.
    public var policies: [Policy]

    /// Creates a license agreement and privacy policies.
    public init(eula: String = "", policies: [Policy] = []) {
        self.eula = eula
        self.policies = policies
    }
}
