import Foundation
import PurchaseModel
import Testing

@testable import MonkeyShopUI

/// Tests of the guided tour, of links that repeat a visit, and of the source code that the page shows for a screen.
struct TourTests {
    @Test(arguments: TourStop.all.indices)
    func `a stop is in German, and its actions are forms of the page`(number: Int) {
        let stop = TourStop.all[number]
        #expect(PageLanguage.german(stop.title) != PageLanguage.english(stop.title))
        #expect(PageLanguage.german(stop.text) != PageLanguage.english(stop.text))
        for fields in stop.script.actions {
            // `ScriptPlayer` fills in the identifiers of a visit, so the test adds some.
            let identifiers = ["sheet": "1", "payment": "1", "request": "1", "transaction": "1", "message": "1"]
            #expect(ShopAction(fields.merging(identifiers) { own, _ in own }) != nil, "\(fields)")
        }
    }

    @Test func `the tour has ten stops`() { #expect(TourStop.all.count == 10) }

    @Test func `a script is the same after the way through a link, without a password`() throws {
        var script = VisitScript()
        script.record(["do": "show", "screen": "shop"]) { _ in nil }
        script.record(["do": "show", "screen": "settings"]) { _ in nil }
        script.record(["do": "refund", "transaction": "7"]) { $0 == "7" ? "com.example.book" : nil }
        script.record(["do": "answer", "answer": "sign-in", "sheet": "3", "password": "ladder"]) { _ in nil }
        script.record(["do": "message", "message": "1"]) { _ in nil }
        let expected = [
            ["do": "show", "screen": "settings"], ["do": "refund", "product": "com.example.book"], ["do": "answer", "answer": "sign-in"],
        ]
        #expect(VisitScript(text: try #require(script.text))?.actions == expected)
    }

    @Test func `a script that is too long has no link`() {
        var script = VisitScript()
        for _ in 1...200 { script.record(["do": "spend"]) { _ in nil } }
        #expect(script.text == nil)
    }

    @Test(arguments: ["", "x", "e30", "W10=", "WzFd", String(repeating: "A", count: 20_000)])
    func `text that is no script is refused`(text: String) { #expect(VisitScript(text: text) == nil) }

    @Test(arguments: ShopPhone.Screen.allCases)
    func `the code behind a screen is in the source`(screen: ShopPhone.Screen) throws {
        let sources = URL(filePath: #filePath).appending(path: "../../../Examples/MonkeyShop").standardizedFileURL
        let all = try #require(CodeView.all[screen])
        for code in all {
            let source = try String(contentsOf: sources.appending(path: code.file), encoding: .utf8)
            for line in code.text.split(separator: "\n") { #expect(source.contains(line), "\(code.file): \(line)") }
        }
    }
}
