import Foundation
import FoundationExtras
import PurchaseTestSupport
import Testing

@testable import tillroll

/// Tests of the types that read and print JSON, tables and terminal text.
@Suite struct PrintingTests {
    @Test(arguments: [
        #"{"a":1,"b":[true,false,null],"a":2}"#, "1.0", "-0", "1e400", "123456789012345678901234567890", #""\\\"\/""#, "[]", "{}", "[[[]]]",
        #"{"é":"日本"}"#, #"" ""#,
    ])
    func `JSON is written as it was read`(_ text: String) {
        let value = JSONReader.read(Array(text.utf8))
        #expect(value.map { String(decoding: $0.bytes, as: UTF8.self) } == text.replacing("\\/", with: "/"))
    }

    @Test(arguments: [
        "", " ", "{", "}", "[1,]", "{\"a\":}", "{a:1}", "01", "1.", ".5", "+1", "1e", "tru", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
        "\"\\ud800\\u0041\"", "\"\n\"", "1 2", "{\"a\":1,}", "'a'", "NaN", "\u{FEFF}1",
    ])
    func `invalid JSON is refused`(_ text: String) {
        #expect(JSONReader.read(Array(text.utf8)) == nil)
    }

    @Test func `JSON with invalid UTF-8 is refused`() {
        #expect(JSONReader.read([0x22, 0xFF, 0x22]) == nil)
        #expect(JSONReader.read([0x22, 0xED, 0xA0, 0x80, 0x22]) == nil)
    }

    @Test func `escapes are read, including surrogate pairs`() {
        #expect(JSONReader.read(Array(#""\u0041\n\ud83d\ude00\/""#.utf8)) == .string("A\n😀/"))
    }

    @Test func `JSON beyond the nesting limit is refused`() {
        func nested(_ depth: Int) -> [UInt8] { Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8) }
        #expect(JSONReader.read(nested(JSONReader.maximumDepth)) != nil)
        #expect(JSONReader.read(nested(JSONReader.maximumDepth + 1)) == nil)
        #expect(JSONReader.read(Array(String(repeating: "[{\"a\":", count: 500_000).utf8)) == nil)
    }

    @Test func `Foundation reads the written JSON with the same values`() throws {
        let text = "quote \" backslash \\ controls \u{0}\u{1F}\u{7F} line\nand tab\t é 😀"
        let bytes = JSONValue.object([.init(text, .string(text)), .init("n", .number(Int64.min)), .init("b", true)]).bytes
        let read = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(read[text] as? String == text && read["n"] as? Int64 == .min && read["b"] as? Bool == true)
        #expect(!bytes.contains { $0 < 0x20 })
    }

    @Test func `columns are as wide as their widest cell`() {
        var table = TextTable(["a", "long heading", "c"])
        table.add(["first", "é", "1"])
        table.add(["2", "x\u{1B}[1m", "22"])
        #expect(
            table.lines(TerminalStyle(isColored: false), indent: "") == [
                "a      long heading  c", "first  é             1", "2      x\\u{1B}[1m    22",
            ]
        )
    }

    @Test(arguments: [
        ("plain text, 日本, é", "plain text, 日本, é"), ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("a\nb\u{7F}", "a\\u{A}b\\u{7F}"),
        ("\u{202E}abc\u{2066}", "\\u{202E}abc\\u{2066}"), ("\u{200B}\u{FEFF}", "\\u{200B}\\u{FEFF}"), ("\u{E000}", "\\u{E000}"),
    ])
    func `control characters are escaped`(_ text: String, _ safe: String) {
        #expect(TerminalText.safe(text) == safe)
    }

    @Test func `text has color only if color is enabled`() {
        #expect(TerminalStyle(isColored: true).bad("x") == "\u{1B}[31mx\u{1B}[0m")
        #expect(TerminalStyle(isColored: false).bad("x") == "x")
    }
}
