import Foundation
import Testing

/// What the articles show is what the tests run.
@Suite struct ArticleTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let examples = root.appending(path: "Tests/PurchaseProofTests/Examples")
    private static let articles = root.appending(path: "Sources/PurchaseProof/PurchaseProof.docc")

    /// The texts of the files in a folder whose names end so.
    private static func texts(in folder: URL, _ suffix: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
        )
    }

    @Test func `each code block of an article stands in the examples, line for line`() throws {
        let sources = try Self.texts(in: Self.examples, "Examples.swift").values.map { $0 }
        let articles = try Self.texts(in: Self.articles, ".md")
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        #expect(sources.count >= 8 && articles.count >= 9)
        for (name, article) in articles.merging(["README.md": readme], uniquingKeysWith: { $1 }) {
            let blocks = CodeBlock.all(in: article)
            #expect(!blocks.isEmpty, "\(name) shows no code")
            for block in blocks {
                #expect(sources.contains { block.stands(in: $0) }, "\(name): \(block.lines.first ?? "") is not what is tested")
            }
        }
    }

    @Test func `each example is shown in an article`() throws {
        let blocks = try Self.texts(in: Self.articles, ".md").values.flatMap { CodeBlock.all(in: $0) }
        for (name, source) in try Self.texts(in: Self.examples, "Examples.swift") {
            let shown = Set(blocks.filter { $0.stands(in: source) }.flatMap(\.lines))
            for line in CodeBlock(source).lines where !shown.contains(line) {
                #expect(line.hasPrefix("import "), "\(name): \(line)")
            }
        }
    }

    @Test func `examples use what everybody can`() throws {
        let allowed: Set = ["import Foundation", "import PurchaseModel", "import PurchaseProof"]
        for (name, source) in try Self.texts(in: Self.examples, "Examples.swift") {
            let imports = CodeBlock(source).lines.filter { $0.contains("import ") }
            #expect(Set(imports).isSubset(of: allowed), "\(name)")
        }
    }

    @Test(arguments: [
        ("func a() {\n  b()\n\n  c()\n}", true),
        ("b()\nc()", true),
        ("b()\nd()", false),
        ("c()\nb()", false),
        ("b()\n}", false),
        ("func a()", false),
        ("", false),
    ])
    func `a block that differs is found`(text: String, stands: Bool) throws {
        let article = "One.\n\n```swift\n\(text)\n```\n\n```sh\nls\n```\n"
        let blocks = CodeBlock.all(in: article)
        #expect(blocks.count == 1)
        #expect(blocks.first?.stands(in: "import X\n\nfunc a() {\n    b()\n    c()\n}\n") == stands)
    }
}
