import FoundationEssentials
import PurchaseTestSupport
import Synchronization
import Testing

@testable import MonkeyShopUI

/// A simulated person at the terminal, who reads each screen before the next command.
final class TerminalPerson: Sendable {
    /// A line of the screen with a number, which a person can choose.
    struct Choice: Hashable, Sendable {
        let number: String
        let title: String
        /// The text of the last unnumbered line before this line, without digits.
        let heading: String
    }

    let input: TerminalInput
    private let screens: AsyncStream<String>
    private let lastScreen = Mutex("")

    private init(_ input: TerminalInput, _ screens: AsyncStream<String>) { (self.input, self.screens) = (input, screens) }

    /// Runs the app, and calls `body` after the first screen.
    static func visit(in folder: TemporaryFolder? = nil, _ body: (TerminalPerson) async throws -> Void) async throws {
        let folder = try folder ?? TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let shop = TerminalShop(folder: folder.url.path, language: "en", logger: .silent)
        let input = TerminalInput()
        let (screens, output) = AsyncStream.makeStream(of: String.self)
        async let running: Void = Self.run(shop, input, output)
        let person = TerminalPerson(input, screens)
        do {
            await person.read()
            try await body(person)
        } catch {
            input.stop()
            try? await running
            throw error
        }
        input.end()
        try await running
    }

    private static func run(_ shop: TerminalShop, _ input: TerminalInput, _ output: AsyncStream<String>.Continuation) async throws {
        defer { output.finish() }
        try await shop.run(input: input) { output.yield($0) }
    }

    /// The screen that was read last.
    var screen: String { lastScreen.withLock { $0 } }

    private func read() async {
        let next = await screens.first { _ in true } ?? ""
        lastScreen.withLock { $0 = next }
    }

    /// Types a command, and reads the next screen.
    func type(_ command: String) async {
        input.send(command)
        await read()
    }

    /// The numbered lines of the screen.
    var choices: [Choice] {
        var (choices, heading) = ([Choice](), "")
        for line in screen.split(separator: "\n") {
            if let match = line.wholeMatch(of: #/ ?(\d+)\) (.*)/#) {
                choices.append(Choice(number: String(match.1), title: String(match.2), heading: heading))
            } else {
                heading = line.filter { !$0.isNumber }
            }
        }
        return choices
    }

    /// Chooses the first or the last line with a title.
    func choose(_ title: String, last: Bool = false) async throws {
        let found = choices.filter { $0.title == title }
        let chosen = last ? found.last : found.first
        let choice = try #require(chosen, "There is no \(title) on this screen:\n\(screen)")
        await type(choice.number)
    }

    /// Requests the screen again until the screen contains a text.
    func wait(for text: String) async throws {
        try await eventually {
            if !screen.contains(text) { await type("") }
            return screen.contains(text)
        }
    }
}
