/// A locale as files write it, such as `en_US`, `zh-Hans` or `ko`, split into its parts for comparison.
struct LocaleName: Hashable, Sendable {
    /// The language code: two or three letters, in lower case.
    let language: String
    /// The script, for languages that the App Store supports in two scripts: `hans`, `hant`; nil for other languages.
    let script: String?
    /// The locale's name in lower case, with underscores as separators.
    let normalized: String

    init(_ text: String) {
        normalized = text.lowercased().replacing("-", with: "_")
        let parts = normalized.split(separator: "_", omittingEmptySubsequences: false)
        let language = parts.first.map(String.init) ?? ""
        self.language = language
        let declaredScript = parts.dropFirst().first { $0.count == 4 }.map(String.init)
        let isTraditional = parts.dropFirst().contains { ["tw", "hk", "mo"].contains($0) }
        script = declaredScript ?? (language == "zh" ? (isTraditional ? "hant" : "hans") : nil)
    }

    /// Whether the text has the form of a locale name.
    var isValid: Bool {
        (2...3).contains(language.count) && normalized.utf8.count <= 35
            && normalized.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
    }

    /// The texts for this locale.
    ///
    /// The order of preference is: the same locale, the same script, the same language, `fallback`, English, the first texts.
    func choose(from texts: [CatalogLocalization], fallback: LocaleName) -> CatalogLocalization? {
        let candidates = texts.map { (LocaleName($0.locale), $0) }
        for preferred in [self, fallback, LocaleName("en_US")] {
            let found =
                candidates.first { $0.0.normalized == preferred.normalized }
                ?? candidates.first { $0.0.language == preferred.language && $0.0.script == preferred.script }
                ?? candidates.first { $0.0.language == preferred.language }
            if let found { return found.1 }
        }
        return texts.first
    }
}
