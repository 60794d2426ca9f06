import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of `monkeyshop terminal`.
@Suite struct TerminalCommandTests {
    @Test func `commands from a pipe are carried out in their order, and the next run continues`() async throws {
        try await CommandFolder.with { command in
            let bought = try await command.shell("printf '1 2\\n1\\n3\\n' | \"$monkeyshop\" terminal --folder shop")
            #expect(bought.code == 0 && bought.text.contains("» Thank you!"), "\(bought.error)")
            let next = try await command.shell("echo quit | \"$monkeyshop\" terminal --folder shop")
            #expect(next.code == 0 && next.text.contains("10 credits\n"), "\(next.text)")
        }
    }

    @Test(arguments: ["TERM", "INT", "HUP"])
    func `a signal ends the app, which leaves no files`(_ signal: String) async throws {
        try await CommandFolder.with { command in
            let script = """
                set -m; mkdir tmp; export TMPDIR="$PWD/tmp"; mkfifo commands; exec 3<>commands
                "$monkeyshop" terminal <&3 >printed & pid=$!
                until grep -q MonkeyShop printed; do kill -0 $pid || exit 99; done
                kill -s \(signal) $pid; wait $pid
                """
            let outcome = try await command.shell(script)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try FileManager.default.subpathsOfDirectory(atPath: command.folder.file("tmp").path) == [])
        }
    }

    @Test func `a last command without a line break is carried out`() async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.shell("printf settings | \"$monkeyshop\" terminal --language en")
            #expect(outcome.code == 0 && outcome.text.contains(") Restore purchases\n"), "\(outcome.text)\(outcome.error)")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a purchase that a SIGKILL interrupts is charged and delivered once`() async throws {
        try await TemporaryFolder.with { folder in
            var first = try await TerminalProcess(folder: folder.file("shop").path)
            try await first.beginPurchase()
            await first.process.kill()

            var second = try await TerminalProcess(folder: folder.file("shop").path)
            try await second.type("books")
            try await second.wait(for: ") Read\n")
            try await second.type("settings")
            let purchases = second.screen.split(separator: "\n").filter { $0.hasSuffix(": Owned") }
            #expect(purchases.count == 1, "\(purchases)")
            // If there were a second charge, a second refund would succeed.
            let refusal = "Jane has no purchase that can be refunded."
            try await second.type("controls")
            try await second.choose("Refund the latest purchase")
            let refunded = second.screen
            #expect(!refunded.contains(refusal))
            try await second.choose("Refund the latest purchase")
            let refused = second.screen
            #expect(refused.contains(refusal))
            let code = await second.process.terminate()
            #expect(code == 0)
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a signal ends the app during a purchase, which the next run delivers`() async throws {
        try await TemporaryFolder.with { folder in
            var first = try await TerminalProcess(folder: folder.file("shop").path)
            try await first.beginPurchase()
            let code = await first.process.terminate()
            #expect(code == 0)

            var second = try await TerminalProcess(folder: folder.file("shop").path)
            try await second.type("books")
            try await second.wait(for: ") Read\n")
            let nextCode = await second.process.terminate()
            #expect(nextCode == 0)
        }
    }
}

/// A process of `monkeyshop terminal`, whose screen is read before each command.
private struct TerminalProcess {
    let process: LineProcess
    private let input = Pipe()
    /// The screen that was read last.
    private(set) var screen = ""

    /// Starts the app, and reads the first screen.
    init(folder: String) async throws {
        process = try LineProcess(
            BuiltProducts.path("monkeyshop"), ["terminal", "--folder", folder, "--language", "en"], standardInput: input)
        await read()
    }

    private mutating func read() async {
        var lines: [String] = []
        for await line in process.lines {
            lines.append(line)
            if line.hasPrefix("    Type a number") { break }
        }
        screen = lines.joined(separator: "\n")
    }

    /// Types a command, and reads the next screen.
    mutating func type(_ command: String) async throws {
        try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
        await read()
    }

    /// Chooses the first line with a title.
    mutating func choose(_ title: String) async throws {
        let line = screen.split(separator: "\n").first { $0.hasSuffix(") \(title)") }
        let prefix = line?.prefix { $0 != ")" }
        let number = try #require(prefix, "There is no line \(title).")
        try await type(number.filter(\.isNumber))
    }

    /// Requests the screen again until the screen contains a text.
    mutating func wait(for text: String) async throws {
        while !screen.contains(text) {
            try Task.checkCancellation()
            try await type("")
        }
    }

    /// Buys a book over a slow network, and returns when the download of the content has begun.
    mutating func beginPurchase() async throws {
        try await type("controls")
        try await choose("Fast downloads: On")
        try await type("books")
        try await choose("Buy")
        try await choose("Buy")
        try await choose("Sign In")
        try await wait(for: ") Pause\n")
    }
}
