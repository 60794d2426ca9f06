import Foundation
import PurchaseTestSupport
import Testing

/// Tests that the code in the kit's guides is the code that `PurchaseKitOutsideTests` compiles and plays.
@Suite struct GuideArticleTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    private static func texts(in folder: String, _ suffix: String) throws -> [String: String] {
        let folder = root.appending(path: folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) })
    }

    private static var articles: [String: String] {
        get throws { try texts(in: "Sources/PurchaseKit/PurchaseKit.docc", ".md") }
    }

    private static var sources: [String: String] {
        get throws {
            try texts(in: "Tests/PurchaseKitOutsideTests", ".swift").merging(texts(in: "Examples/KitShop", ".swift")) { first, _ in first }
        }
    }

    @Test func `each code block of a guide is in the compiled code, to the letter`() throws {
        let (articles, sources) = (try Self.articles, try Self.sources)
        #expect(articles.count >= 6)
        for (name, article) in articles {
            let blocks = CodeBlock.all(in: article)
            #expect(!blocks.isEmpty, "\(name) contains no code")
            for block in blocks {
                #expect(sources.values.contains { block.appears(in: $0) }, "\(name): \(block.lines.first ?? "") is not in the code")
            }
        }
    }

    @Test(arguments: [
        "Shop.swift", "main.swift", "TestingGuide.swift", "StoreKit1Guide.swift", "StoreKit2Guide.swift", "RevenueCatGuide.swift",
        "OfflineGuide.swift", "ContentGuide.swift",
    ])
    func `each line of a guide's code is shown in a guide`(_ name: String) throws {
        let blocks = try Self.articles.values.flatMap { CodeBlock.all(in: $0) }
        let source = try #require(try Self.sources[name])
        // The imports, the condition around one of them, and the extension that contains the tests.
        let hidden = /(@testable )?import \w+|#if os\(Linux\)|#endif|extension \w+ {|}/
        for line in CodeBlock.missing(from: source, blocks) {
            #expect(line.trimmingCharacters(in: .whitespaces).wholeMatch(of: hidden) != nil, "\(name): \(line)")
        }
    }

    @Test func `code of apps imports only products of the package`() throws {
        let allowed: Set = ["Foundation", "MessageSignatures", "OpenStoreKit", "PurchaseKit", "PurchaseModel", "PurchaseProof", "StoreKit"]
        for (name, source) in try Self.sources where !name.hasPrefix("Testing") && !name.hasSuffix("Tests.swift") {
            let imports = source.matches(of: /import (\w+)/).map { String($0.1) }
            #expect(Set(imports).isSubset(of: allowed), "\(name)")
        }
    }
}
