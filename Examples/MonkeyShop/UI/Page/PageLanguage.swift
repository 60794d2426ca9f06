import Foundation

/// A text of the page with its values, which the page shows in the visitor's language.
///
/// The English text is the key of the translations, with `%` for each value: `"Page \(page) of \(count)"` has the key `Page % of %`.
struct Phrase: Codable, Sendable, Hashable, ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var values: [String] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { key += literal }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            key += "%"
            values.append(value.description)
        }
    }

    fileprivate let key: String
    fileprivate let values: [String]

    init(stringLiteral text: String) { (key, values) = (text, []) }

    init(stringInterpolation: StringInterpolation) { (key, values) = (stringInterpolation.key, stringInterpolation.values) }

    /// Creates a phrase from an English sentence of another module.
    init(_ sentence: String) { (key, values) = (sentence, []) }
}

/// A language of the page, with its storefront.
enum PageLanguage: String, Codable, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    private static let germanTexts: [String: String] = {
        (try? JSONDecoder().decode([String: String].self, from: Data(PackageResources.de_json))) ?? [:]
    }()

    /// The alpha-3 code of the storefront.
    var storefront: String {
        switch self {
        case .english: "USA"
        case .german: "DEU"
        }
    }

    var locale: Locale {
        switch self {
        case .english: Locale(identifier: "en_US")
        case .german: Locale(identifier: "de_DE")
        }
    }

    /// The name of the language in that language, such as `Deutsch`.
    var name: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        }
    }

    /// Returns a phrase in this language, or in English if there is no translation, for example for an error of the system.
    func callAsFunction(_ phrase: Phrase) -> String {
        let text = translation(of: phrase.key) ?? phrase.key
        guard !phrase.values.isEmpty else { return text }
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        return zip(parts, phrase.values + [""]).map { $0 + $1 }.joined()
    }

    /// Returns the translation of an English text; nil without a translation.
    func translation(of english: String) -> String? {
        self == .english ? english : Self.germanTexts[english]
    }

    /// Replaces each `[[text]]` of a template by its translation.
    ///
    /// - Throws: ``MissingTranslation`` for a text without a translation.
    func translate(template: String) throws(MissingTranslation) -> String {
        var result = ""
        var rest = template[...]
        while let start = rest.firstRange(of: "[["), let end = rest[start.upperBound...].firstRange(of: "]]") {
            let english = String(rest[start.upperBound..<end.lowerBound])
            guard let translation = translation(of: english) else { throw MissingTranslation(text: english) }
            result += String(rest[..<start.lowerBound]) + translation
            rest = rest[end.upperBound...]
        }
        return result + String(rest)
    }

    /// Returns a day, such as `January 31, 2026`.
    func day(_ date: Date) -> String { date.formatted(Date.FormatStyle(date: .long, time: .omitted, locale: locale, timeZone: .gmt)) }
}

/// The error of a template with a text that has no translation.
struct MissingTranslation: Error, CustomStringConvertible {
    let text: String

    var description: String { "de.json has no translation of “\(text)”. Add the text as a key." }
}
