import Foundation
import PurchaseTestSupport
import Testing

/// Tests that the code in the articles is the code of the tested examples.
@Suite struct ArticleTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let examples = root.appending(path: "Tests/PurchaseProofTests/Examples")
    private static let articles = root.appending(path: "Sources/PurchaseProof/PurchaseProof.docc")

    /// Returns the contents of the files in a folder whose names end with `suffix`.
    private static func texts(in folder: URL, _ suffix: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
        )
    }

    @Test func `each code block of an article is in the examples, to the letter`() throws {
        let sources = try Self.texts(in: Self.examples, "Examples.swift").values.map { $0 }
        let articles = try Self.texts(in: Self.articles, ".md")
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        #expect(sources.count >= 8 && articles.count >= 9)
        for (name, article) in articles.merging(["README.md": readme], uniquingKeysWith: { $1 }) {
            let blocks = CodeBlock.all(in: article)
            #expect(!blocks.isEmpty, "\(name) contains no code")
            for block in blocks {
                #expect(sources.contains { block.appears(in: $0) }, "\(name): \(block.lines.first ?? "") is not in the examples")
            }
        }
    }

    @Test func `each example is shown in an article`() throws {
        let blocks = try Self.texts(in: Self.articles, ".md").values.flatMap { CodeBlock.all(in: $0) }
        for (name, source) in try Self.texts(in: Self.examples, "Examples.swift") {
            for line in CodeBlock.missing(from: source, blocks) {
                #expect(line.hasPrefix("import "), "\(name): \(line)")
            }
        }
    }

    @Test func `examples import only public modules`() throws {
        let allowed: Set = ["import Foundation", "import PurchaseModel", "import PurchaseProof"]
        for (name, source) in try Self.texts(in: Self.examples, "Examples.swift") {
            let imports = CodeBlock(source).lines.filter { $0.contains("import ") }
            #expect(Set(imports).isSubset(of: allowed), "\(name)")
        }
    }

    @Test(arguments: [
        ("func a() {\n    b()\n    c()\n}", true),
        ("b()\nc()", true),
        ("func a() {\n  b()\n  c()\n}", false),
        ("func a() {\n    b()\n\n    c()\n}", false),
        ("b()\nd()", false),
        ("c()\nb()", false),
        ("b()\n}", false),
        ("func a()", false),
        ("", false),
    ])
    func `a code block that differs is detected`(text: String, appears: Bool) throws {
        let article = "One.\n\n```swift\n\(text)\n```\n\n```sh\nls\n```\n"
        let blocks = CodeBlock.all(in: article)
        #expect(blocks.count == 1)
        #expect(blocks.first?.appears(in: "import X\n\nfunc a() {\n    b()\n    c()\n}\n") == appears)
    }
}
