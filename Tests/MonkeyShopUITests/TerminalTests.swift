import Foundation
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing

@testable import MonkeyShopUI

@Suite struct TerminalTests {
    // MARK: - Keys

    @Test(
        "a terminal's bytes are keys",
        arguments: [
            ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}[1;5C", [.right]), ("\u{1B}[D", [.left]), ("\u{1B}[Z", [.backTab]),
            ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6~", [.pageDown]), ("\u{1B}[1~", [.home]), ("\u{1B}OF", [.end]), ("\u{1B}", [.escape]),
            ("\r", [.enter]), ("\u{7F}", [.backspace]), ("\u{3}", [.interrupt]), ("\t", [.tab]),
            ("aé🐒", [.character("a"), .character("é"), .character("🐒")]),
            ("\u{1B}[99X\u{1}x", [.character("x")]), ("\u{1B}[\u{3}", [.interrupt]),
            ("\u{1B}[\u{1B}[A", [.up]),
        ] as [(String, [TerminalKey])])
    func keys(bytes: String, expected: [TerminalKey]) {
        var reader = TerminalKeyReader()
        #expect(reader.keys(in: bytes.utf8) == expected)
    }

    @Test func `a sequence or a character that arrives in two parts is one key`() {
        var reader = TerminalKeyReader()
        #expect(reader.keys(in: [0x1B, 0x5B]).isEmpty)
        #expect(reader.keys(in: [0x42, 0xC3]) == [.down])
        #expect(reader.keys(in: [0xA9]) == [.character("é")])
    }

    @Test func `no bytes stop the keys`() {
        var generator = SeededRandom(seed: 7)
        for _ in 0..<2_000 {
            var reader = TerminalKeyReader()
            for _ in 0..<3 {
                _ = reader.keys(
                    in: (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 0 ... .max, using: &generator) })
            }
            // The longest incomplete sequence is ended, and the next key is read.
            _ = reader.keys(in: Array(repeating: UInt8(ascii: "~"), count: 40))
            #expect(reader.keys(in: [0x61]) == [.character("a")])
        }
    }

    // MARK: - Canvas

    @Test func `text on the canvas has no control characters`() {
        var canvas = TerminalCanvas(width: 12, height: 1)
        canvas.write("a\u{1B}[31m\u{7}\u{9B}b\u{202E}\r\nc", row: 0, column: 0)
        #expect(canvas.text(0) == "a[31mbc     ")
    }

    @Test func `wide characters take two columns, and are not cut in half`() {
        var canvas = TerminalCanvas(width: 5, height: 1)
        #expect(canvas.write("猿🐒x", row: 0, column: 0) == 5)
        #expect(canvas.text(0) == "猿🐒x")
        var narrow = TerminalCanvas(width: 3, height: 1)
        narrow.write("猿猿", row: 0, column: 0)
        #expect(narrow.text(0) == "猿 ")
    }

    @Test func `only changed rows are written again`() {
        var before = TerminalCanvas(width: 4, height: 2)
        before.write("one", row: 0, column: 0)
        before.write("two", row: 1, column: 0)
        var after = before
        #expect(after.update(from: before, .none).isEmpty)
        after.write("2", row: 1, column: 0)
        #expect(after.update(from: before, .none) == "\u{1B}[2;1H\u{1B}[0m2wo ")
    }

    @Test(
        "a style has the codes of the terminal's colors",
        arguments: [
            ([:], "\u{1B}[0;38;5;196m"), (["COLORTERM": "truecolor"], "\u{1B}[0;38;2;255;0;0m"), (["NO_COLOR": "1"], "\u{1B}[0m"),
        ] as [([String: String], String)])
    func colors(environment: [String: String], expected: String) {
        #expect(TerminalStyle(foreground: .rgb(255, 0, 0)).sequence(TerminalColors(environment: environment)) == expected)
    }

    @Test func `text is wrapped at spaces, and in words that are too long`() {
        #expect(TerminalText.wrap("a bc def\n\nghijkl", to: 4) == ["a bc", "def", "", "ghij", "kl"])
        #expect(TerminalText.wrap("text", to: 1).isEmpty)
        #expect(TerminalText.wrap("{\r\n  one two\n}", to: 7) == ["{", "  one", "two", "}"])
    }

    // MARK: - The app

    @Test func `every key on every screen works in every size of the window`() async throws {
        try await TemporaryFolder.with { folder in
            try await ShopWorld.with(folder: folder.url.path, logger: .silent) { world in
                let visitor = await Visitor(world, in: .german)
                await withDiscardingTaskGroup { group in
                    group.addTask { await visitor.resume() }
                    await everyKey(visitor)
                    await visitor.leave()
                }
            }
        }
    }

    private func everyKey(_ visitor: Visitor) async {
        for await _ in visitor.updates where await PageView(visitor).phone.shop?.cards.first?.price != nil { break }
        var model = TerminalModel()
        let keys: [TerminalKey] = [
            .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .tab, .backTab, .escape, .backspace, .character("3"),
        ]
        for screen in ShopPhone.Screen.allCases {
            await visitor.perform(.tap(.show(screen.rawValue)), limit: 1)
            for size in [(0, 0), (1, 1), (40, 12), (41, 13), (79, 24), (116, 40), (300, 90)] {
                for number in [1, 6, 7] {
                    _ = model.press(.character(Character("\(number)")), in: await PageView(visitor), width: size.0, height: size.1)
                    for key in keys {
                        #expect(model.press(key, in: await PageView(visitor), width: size.0, height: size.1) != .quit)
                        let canvas = model.draw(await PageView(visitor), width: size.0, height: size.1)
                        #expect(canvas.width == size.0 && canvas.height == size.1)
                    }
                }
            }
            // A window that is too small shows nothing on which a key could act.
            #expect(model.press(.enter, in: await PageView(visitor), width: 1, height: 24) == .none)
        }
        #expect(model.press(.character("q"), in: await PageView(visitor), width: 80, height: 24) == .quit)
    }
}
