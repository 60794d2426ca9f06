/// The name of a locale, such as `en_US`, `zh-Hans` or `ko`, split into its parts so that two names can be compared.
struct LocaleName: Hashable, Sendable {
    /// The language code: two or three letters, in lower case.
    let language: String
    /// The script in lower case, such as `hans` or `hant`; nil if the name states no script and the language is not Chinese.
    let script: String?
    /// The whole name in lower case, with underscores instead of hyphens.
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

    /// Whether the name has the form of a locale name.
    var isValid: Bool {
        (2...3).contains(language.count) && normalized.utf8.count <= 35
            && normalized.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
    }

    /// Returns the localization that fits this locale best; nil if `texts` is empty.
    ///
    /// The order of preference is: the same locale, the same language and script, the same language, `fallback`, English, the first
    /// localization.
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
