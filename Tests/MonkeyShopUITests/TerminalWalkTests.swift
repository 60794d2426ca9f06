import Testing

@testable import MonkeyShopUI

/// Tests of a visit in the terminal that chooses every numbered line.
@Suite struct TerminalWalkTests {
    @Test(.timeLimit(.minutes(10)))
    func `each choice of each screen and sheet is answered with a screen`() async throws {
        try await TerminalPerson.visit { person in
            let walk = TerminalWalk(person)
            await person.type("controls")
            try await person.choose("A child’s phone")
            let askedParent = await walk.chooseAll(on: "shop")
            #expect(askedParent)
            await person.type("controls")
            try await person.choose("○ Jane’s phone")
            // The controls can close the app and edit the vault, so they come after the app's screens. The shop comes last, to test the choices of
            // an app that can't be opened.
            let screens = ShopPhone.Screen.allCases.map(\.rawValue) + [TerminalLines.Extra.controls.rawValue, "shop"]
            for screen in screens {
                let isComplete = await walk.chooseAll(on: screen)
                #expect(isComplete, "\(screen) offers new choices again and again:\n\(person.screen)")
            }
            // Each action adds messages, so the number of opened messages is limited.
            _ = await walk.chooseAll(on: TerminalLines.Extra.messages.rawValue, atMost: 25)
            let sheets = walk.sheets.sorted()
            for title in [
                "Ask your parent to buy ", "Buy ", "Redeem an offer code", "Request a refund for ", "Sign in to the App Store",
                "Subscriptions", "What do you want to restore?",
            ] {
                #expect(sheets.contains { $0.hasPrefix(title) }, "\(title) is not among the sheets: \(sheets)")
            }
        }
    }
}

/// Chooses every numbered line of the app.
private final class TerminalWalk {
    private let person: TerminalPerson
    /// The titles of the sheets that were shown.
    private(set) var sheets: Set<String> = []

    init(_ person: TerminalPerson) { self.person = person }

    /// Chooses each numbered line of a screen, including lines that appear after a choice, and answers the sheets.
    ///
    /// - Returns: True if every line was chosen; false if `limit` was reached.
    func chooseAll(on screen: String, atMost limit: Int = 150) async -> Bool {
        var chosen: Set<[String]> = []
        await type(screen)
        for _ in 0..<limit {
            // Typing the name of the screen closes a book or a receipt.
            if next(besides: chosen) == nil { await type(screen) }
            guard let choice = next(besides: chosen) else { return true }
            chosen.insert(Self.key(of: choice))
            await type(choice.number)
            await answerSheets()
        }
        return false
    }

    /// Returns a key of a choice that does not depend on the number of the line or of a book's page.
    private static func key(of choice: TerminalPerson.Choice) -> [String] { [choice.heading, choice.title] }

    private func next(besides chosen: Set<[String]>) -> TerminalPerson.Choice? {
        // The line “Deutsch” is skipped, because every line would be new in another language.
        person.choices.first { !$0.title.hasSuffix("Deutsch") && !chosen.contains(Self.key(of: $0)) }
    }

    private func type(_ command: String) async {
        await person.type(command)
        let screen = person.screen
        #expect(screen.contains("MonkeyShop · ") && screen.split(separator: "\n").count > 3, "after \(command):\n\(screen)")
        #expect(!screen.contains("There is no such choice."), "after \(command):\n\(screen)")
    }

    /// The title of the open sheet; nil if no sheet is open.
    private var sheet: String? {
        let lines = person.screen.split(separator: "\n")
        guard lines.count > 3, lines.last?.contains(", quit") != true else { return nil }
        return String(lines[2].drop { $0 == " " })
    }

    /// Chooses each line of a sheet with a new title, and closes sheets with a known title.
    private func answerSheets() async {
        for _ in 0..<20 {
            guard let title = sheet else { return }
            if sheets.insert(title).inserted {
                var index = 0
                while sheet == title, index < person.choices.count {
                    await type(Self.command(for: person.choices[index]))
                    index += 1
                }
            } else {
                let choices = person.choices
                await type((choices.first { $0.title == "Sign In" } ?? choices.last)?.number ?? "")
            }
        }
        Issue.record("A sheet is shown again and again:\n\(person.screen)")
    }

    /// Returns the command that chooses a line of a sheet; for a field, the command has a text.
    private static func command(for choice: TerminalPerson.Choice) -> String {
        switch choice.title.split(separator: ": ").map(String.init) {
        case let parts where parts.first == "Account" && parts.count == 2: "\(choice.number) \(parts[1])"
        case let parts where parts.first == "Password": "\(choice.number) \(ShopWorld.Person.password)"
        case let parts where parts.first == "Code": "\(choice.number) BANANA"
        default: choice.number
        }
    }
}
