import Testing

@testable import MonkeyShopUI

struct PageLanguageTests {
    private static let phrases: [(Phrase, String)] = [
        ("The subscription renews on \("1. Mai").", "Das Abo verlängert sich am 1. Mai."),
        ("Page \(3) of \(12)", "Seite 3 von 12"),
        ("\("45 %") of \("2 MB")", "45 % von 2 MB"),
        ("A sentence of another library.", "A sentence of another library."),
        (Phrase("The server can't be reached."), "Der Server ist nicht erreichbar."),
    ]

    @Test(arguments: phrases)
    func `a phrase is translated with its values`(phrase: Phrase, german: String) {
        #expect(PageLanguage.german(phrase) == german)
    }

    @Test func `a phrase in English is its text`() {
        let phrase: Phrase = "The subscription changes to \("Canopy Plus") on \("May 1")."
        #expect(PageLanguage.english(phrase) == "The subscription changes to Canopy Plus on May 1.")
    }

    @Test func `a template with a text that is not translated is refused`() {
        #expect(throws: MissingTranslation.self) { try PageLanguage.german.translate(template: "<p>[[Nobody translated this]]</p>") }
        #expect(throws: Never.self) { _ = try PageTemplates() }
    }
}
