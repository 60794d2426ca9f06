/// The texts for subscription views.
public struct CatalogPolicies: Codable, Hashable, Sendable {
    /// The privacy policy in one language.
    public struct Policy: Codable, Hashable, Sendable {
        /// The locale.
        public var locale: String
        /// The text of the privacy policy.
        public var text: String
        /// The URL of the privacy policy.
        public var url: String

        /// Creates a policy.
        public init(locale: String, text: String, url: String) {
            self.locale = locale
            self.text = text
            self.url = url
        }
    }

    /// The license agreement.
    public var eula: String
    /// The privacy policies.
    public var policies: [Policy]

    /// Creates texts.
    public init(eula: String = "", policies: [Policy] = []) {
        self.eula = eula
        self.policies = policies
    }
}
