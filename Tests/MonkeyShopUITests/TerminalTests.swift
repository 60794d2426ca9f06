import FoundationEssentials
import MonkeyShop
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import MonkeyShopUI

/// Tests of the app in the terminal, with typed commands.
@Suite struct TerminalTests {
    /// Runs the app with commands, and returns the screens: the first screen, and one screen for each command.
    private func play(_ commands: String..., in folder: TemporaryFolder? = nil, language: String = "en") async throws -> [String] {
        let folder = try folder ?? TemporaryFolder()
        let shop = TerminalShop(folder: folder.url.path, language: language, logger: .silent)
        let input = TerminalInput()
        for command in commands { input.send(command) }
        input.end()
        let (screens, output) = AsyncStream.makeStream(of: String.self)
        try await shop.run(input: input) { output.yield($0) }
        output.finish()
        return await screens.reduce(into: []) { $0.append($1) }
    }

    @Test func `credits are bought with a quantity, and spent`() async throws {
        // Buy three times five credits, agree, sign in, spend one.
        let screens = try await play("1 3", "1", "3", "", "1")
        try #require(screens.count == 6)
        #expect(screens[0].contains("5 credits: $0.99") && screens[0].contains("0 credits"))
        #expect(screens[1].contains("Total: $2.97"))
        #expect(screens[2].contains("Account: jane@example.com") && !screens[2].contains("ladder"))
        #expect(screens[3].contains("» Thank you!"))
        #expect(screens[4].contains("15 credits") && screens[4].contains(" 1) Buy a banana"))
        #expect(screens[5].contains("14 credits") && screens[5].contains("» One banana, as ordered."))
    }

    @Test func `a canceled purchase shows no message`() async throws {
        let screens = try await play("1", "2")
        #expect(screens.last?.contains("»") == false)
    }

    @Test func `a killed app keeps its purchases, also in the next run`() async throws {
        let folder = try TemporaryFolder()
        let controls = try await play("1", "1", "3", "controls", in: folder)
        let kill = try #require(controls.last?.split(separator: "\n").first { $0.contains(") Kill the app") }?.split(separator: ")").first)
        let killed = try await play("controls", kill.filter(\.isNumber), "shop", in: folder)
        #expect(killed.first?.contains("5 credits\n") == true)
        #expect(killed.last?.contains("The app is closed.") == true)
        let reopened = try await play("", in: folder)
        #expect(reopened.first?.contains("5 credits\n") == true)
    }

    @Test(arguments: ["99", "0", "-1", "18446744073709551616", "1 11", "1 x", "nonsense", "\u{1B}[A"])
    func `a wrong command changes nothing, and says so`(_ command: String) async throws {
        let screens = try await play(command, "messages", "quit", "shop")
        #expect(screens.count == 3)
        let hints = ["There is no such choice.", "The quantity is a number from 1 to 10."]
        #expect(hints.contains { screens[1].contains($0) })
        #expect(!screens[2].contains(hints[0]) && screens[2].contains("App → App Store"))
    }

    @Test func `control characters of texts are not printed`() {
        let line = TerminalLine(text: "a\u{1B}[31m\u{7}b\u{202E}\r", press: nil)
        #expect(line.printed(nil) == "    a[31mb")
        #expect(line.printed(7) == " 7) a[31mb")
    }

    @Test func `the app is in German for a German terminal`() async throws {
        let screens = try await play("quit", language: "de")
        #expect(screens.first?.contains("Kaufen") == true && screens.first?.contains("Tippe eine Nummer") == true)
    }

    @Test func `a command that can't launch another phone's app does not block the next command`() async throws {
        try await TerminalPerson.visit { person in
            await person.type("controls")
            for _ in 2...4 { try await person.choose("Jane’s next phone") }
            await person.type("settings")
            try await person.choose("Send purchases to a new phone")
            await person.type("shop")
            #expect(person.screen.contains("5 credits: $0.99"))
        }
    }

    @Test func `the first screen is that of a launched app, also with several phones`() async throws {
        let folder = try TemporaryFolder()
        try await TerminalPerson.visit(in: folder) { person in
            await person.type("controls")
            try await person.choose("Jane’s next phone")
        }
        try await TerminalPerson.visit(in: folder) { person in
            #expect(person.screen.contains("Jane’s phone 2") && person.screen.contains("5 credits: $0.99"))
        }
    }

    @Test func `a number chooses the line that was printed, also if the app shows other lines meanwhile`() async throws {
        try await TemporaryFolder.with { folder in
            try await ShopWorld.with(folder: folder.url.path, logger: .silent) { world in
                let visitor = await Visitor(world, in: .english)
                await withDiscardingTaskGroup { group in
                    group.addTask { await visitor.resume() }
                    await TerminalVisit(visitor).waitForLaunch()
                    var model = TerminalModel()
                    let shop = await PageView(visitor)
                    _ = model.draw(shop)
                    await visitor.perform(.tap(.show("filters")))
                    let bought = model.read("1")
                    #expect(bought == .act(.tap(.buy(MonkeyShopProduct.credits5, quantity: 1, offer: nil))))
                    let filters = await PageView(visitor)
                    _ = model.draw(filters)
                    let chosen = model.read("1")
                    #expect(chosen == .act(.tap(.picture(0))))
                    await visitor.leave()
                }
            }
        }
    }

    @Test func `a download is paused, resumed and canceled in the run that begins it`() async throws {
        try await TerminalPerson.visit { person in
            try await beginDownload(person, ofLastBook: true)
            try await person.choose("Pause")
            try await person.wait(for: "Paused")
            try await person.choose("Resume")
            try await person.wait(for: ") Pause\n")
            try await person.choose("Cancel the download")
            try await person.wait(for: "Canceled. Restore your purchases to download the book.")
        }
    }

    @Test func `a stop interrupts a download, with which the next run continues`() async throws {
        let folder = try TemporaryFolder()
        try await TerminalPerson.visit(in: folder) { person in
            try await beginDownload(person)
            person.input.stop()
        }
        try await TerminalPerson.visit(in: folder) { person in
            await person.type("books")
            try await person.wait(for: ") Read\n")
        }
    }

    @Test func `after a stop, no command is carried out`() async throws {
        try await TemporaryFolder.with { folder in
            let input = TerminalInput()
            for command in ["settings", "shop", "quit"] { input.send(command) }
            let (screens, output) = AsyncStream.makeStream(of: String.self)
            try await TerminalShop(folder: folder.url.path, language: "en", logger: .silent).run(input: input) { screen in
                output.yield(screen)
                input.stop()
            }
            output.finish()
            let printed = await screens.reduce(into: [String]()) { $0.append($1) }
            #expect(printed.count == 1)
        }
    }

    /// Buys a book over a slow network, and returns when the download of the content has begun.
    private func beginDownload(_ person: TerminalPerson, ofLastBook: Bool = false) async throws {
        await person.type("controls")
        try await person.choose("Fast downloads: On")
        await person.type("books")
        try await person.choose("Buy", last: ofLastBook)
        try await person.choose("Buy")
        try await person.choose("Sign In")
        try await person.wait(for: ") Pause\n")
    }
}
