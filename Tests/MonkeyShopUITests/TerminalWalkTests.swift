import Testing

@testable import MonkeyShopUI

/// Tests of a visit in the terminal in which a person types every number.
@Suite struct TerminalWalkTests {
    @Test(.timeLimit(.minutes(5)))
    func `each choice of each screen and sheet is answered with a screen`() async throws {
        try await TerminalPerson.visit { person in
            let walk = TerminalWalk(person)
            await person.type("controls")
            try await person.choose("A child’s phone")
            let askedParent = await walk.chooseAll(on: "shop")
            #expect(askedParent)
            await person.type("controls")
            try await person.choose("○ Jane’s phone")
            // The controls end the app and edit its vault, so their choices come after those of the app, and before those of an app that can't
            // be opened.
            let screens = ShopPhone.Screen.allCases.map(\.rawValue) + [TerminalLines.Extra.controls.rawValue, "shop"]
            for screen in screens {
                let isComplete = await walk.chooseAll(on: screen)
                #expect(isComplete, "\(screen) offers new choices again and again:\n\(person.screen)")
            }
            // Each message can be opened, and there are more of them after each action.
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

/// Types every number that the app offers.
private final class TerminalWalk {
    private let person: TerminalPerson
    /// The titles of the sheets so far.
    private(set) var sheets: Set<String> = []

    init(_ person: TerminalPerson) { self.person = person }

    /// Chooses each line that the screen offers, also those that appear after a choice, and answers the sheets.
    ///
    /// - Returns: Whether no other line was offered at the end.
    func chooseAll(on screen: String, atMost limit: Int = 150) async -> Bool {
        var chosen: Set<[String]> = []
        await type(screen)
        for _ in 0..<limit {
            // The name of the screen closes a book or a receipt.
            if next(besides: chosen) == nil { await type(screen) }
            guard let choice = next(besides: chosen) else { return true }
            chosen.insert(Self.key(of: choice))
            await type(choice.number)
            await answerSheets()
        }
        return false
    }

    /// A name of a choice that does not depend on its number, and that the pages of a book share.
    private static func key(of choice: TerminalPerson.Choice) -> [String] { [choice.heading, choice.title] }

    private func next(besides chosen: Set<[String]>) -> TerminalPerson.Choice? {
        // In another language, every choice would be new.
        person.choices.first { !$0.title.hasSuffix("Deutsch") && !chosen.contains(Self.key(of: $0)) }
    }

    private func type(_ command: String) async {
        await person.type(command)
        let screen = person.screen
        #expect(screen.contains("MonkeyShop · ") && screen.split(separator: "\n").count > 3, "after \(command):\n\(screen)")
        #expect(!screen.contains("There is no such choice."), "after \(command):\n\(screen)")
    }

    /// The title of the sheet that waits; nil without one.
    private var sheet: String? {
        let lines = person.screen.split(separator: "\n")
        guard lines.count > 3, lines.last?.contains(", quit") != true else { return nil }
        return String(lines[2].drop { $0 == " " })
    }

    /// Types each number of a sheet that was not shown before, and closes other sheets.
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

    /// Returns the command for a line of a sheet, with a text for a field.
    private static func command(for choice: TerminalPerson.Choice) -> String {
        switch choice.title.split(separator: ": ").map(String.init) {
        case let parts where parts.first == "Account" && parts.count == 2: "\(choice.number) \(parts[1])"
        case let parts where parts.first == "Password": "\(choice.number) \(ShopWorld.Person.password)"
        case let parts where parts.first == "Code": "\(choice.number) BANANA"
        default: choice.number
        }
    }
}
