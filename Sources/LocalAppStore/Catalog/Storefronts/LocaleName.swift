/// A locale as files write it, such as `en_US`, `zh-Hans` or `ko`, taken apart to be compared.
struct LocaleName: Hashable, Sendable {
    /// Two or three letters, in lower case.
    let language: String
    /// The script, for the languages that the App Store writes in two: `hans`, `hant`; nil for others.
    let script: String?
    /// All of it in lower case, joined by underscores.
    let normalized: String

    init(_ text: String) {
        normalized = text.lowercased().replacing("-", with: "_")
        let parts = normalized.split(separator: "_", omittingEmptySubsequences: false)
        let language = parts.first.map(String.init) ?? ""
        self.language = language
        let stated = parts.dropFirst().first { $0.count == 4 }.map(String.init)
        let isTraditional = parts.dropFirst().contains { ["tw", "hk", "mo"].contains($0) }
        script = stated ?? (language == "zh" ? (isTraditional ? "hant" : "hans") : nil)
    }

    /// Whether it looks like the name of a language.
    var isSensible: Bool {
        (2...3).contains(language.count) && normalized.utf8.count <= 35
            && normalized.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
    }

    /// The texts for this locale: those of the same locale, else script, else language, else those of `fallback`, else English, else the first.
    func choose(from texts: [CatalogLocalization], fallback: LocaleName) -> CatalogLocalization? {
        let named = texts.map { (LocaleName($0.locale), $0) }
        for wanted in [self, fallback, LocaleName("en_US")] {
            let found =
                named.first { $0.0.normalized == wanted.normalized }
                ?? named.first { $0.0.language == wanted.language && $0.0.script == wanted.script }
                ?? named.first { $0.0.language == wanted.language }
            if let found { return found.1 }
        }
        return texts.first
    }
}
