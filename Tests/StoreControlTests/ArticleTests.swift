import Foundation
import Testing

/// Tests that the code of the article is the code of the tested examples.
@Suite struct ArticleTests {
    @Test func `each code block of the article is in the examples, to the letter`() throws {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
        func text(_ path: String) throws -> String { try String(contentsOf: root.appending(path: path), encoding: .utf8) }
        let article = try text("Sources/StoreControl/StoreControl.docc/StoreControl.md")
        let examples = try text("Tests/StoreControlTests/Examples.swift")
        let blocks = article.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
        #expect(blocks.count >= 5)
        for block in blocks { #expect(examples.contains(block), "\(block) is not in the examples") }
    }
}
