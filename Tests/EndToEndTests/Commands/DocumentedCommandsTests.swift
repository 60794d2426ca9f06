import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests that the shell commands in the documentation work unchanged, and print what the documentation states.
@Suite struct DocumentedCommandsTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// The documents whose blocks run here, all blocks of a document in one shell.
    private static let documents = [
        "README.md", "docs/commands.md", "docs/testing-your-backend.md", "docs/server.md", "docs/server-api.md", "docs/teams.md",
        "docs/operations.md", "docs/events.md", "docs/webhooks.md",
        "docs/storekit-on-linux.md", "Sources/PurchaseKit/PurchaseKit.docc/FirstPurchase.md",
    ]

    /// The documents that continue the quick start of another one, whose blocks run before theirs.
    private static let quickStarts = ["docs/server-api.md": "docs/server.md", "docs/operations.md": "docs/server.md"]

    /// The other documents with shell commands, and what runs these.
    private static let otherDocuments = [
        "CONTRIBUTING.md": "CI, which runs make demo and make test",
        "Examples/Backend/README.md": "BackendExampleTests",
        "docs/demo-site.md": "DemoSiteTests, because the commands change the system",
        "docs/install.md": "scripts/package-test, because the commands change the system",
        "docs/performance.md": "make bench",
    ]

    /// A block of shell commands, and what it must show.
    private struct Block {
        let script: String
        /// The texts that the block's output contains in this order, errors last: those after `# prints `.
        let printed: [String]
        /// The files that the block writes with `> FILE`, none of which is empty.
        let files: [String]

        init(_ script: String) {
            self.script = script
            printed = script.split(separator: "\n").compactMap {
                $0.firstRange(of: "# prints ").map { [line = $0] in String(line[$0.upperBound...]) }
            }
            files = script.matches(of: /\s>>? ?([\w.-]+)/).map { String($0.1) }
        }

        /// The first text that an output does not contain after the texts before it; nil if it contains all.
        func missing(in output: String) -> String? {
            var rest = output[...]
            for text in printed {
                guard let range = rest.firstRange(of: text) else { return text }
                rest = rest[range.upperBound...]
            }
            return nil
        }
    }

    /// Returns the blocks of shell commands in a document, in order.
    private static func blocks(of document: String) throws -> [Block] {
        blocks(in: try text(of: document))
    }

    /// Returns the blocks of the quick start that a document continues; empty if it continues none.
    private static func quickStart(before document: String) throws -> [Block] {
        guard let earlier = quickStarts[document] else { return [] }
        let section = try text(of: earlier).components(separatedBy: "\n## ").first { $0.hasPrefix("Quick start\n") }
        return blocks(in: try #require(section, "\(earlier) has no section Quick start."))
    }

    private static func text(of document: String) throws -> String {
        try String(contentsOf: root.appending(path: document), encoding: .utf8)
    }

    private static func blocks(in text: String) -> [Block] {
        text.components(separatedBy: "```sh\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }.map(Block.init)
    }

    @Test(arguments: documents) func `every block of a document prints what the document states`(_ document: String) async throws {
        let blocks = try Self.quickStart(before: document) + Self.blocks(of: document)
        try #require(!blocks.isEmpty)
        try await CommandFolder.with { command in
            // A new user has no certificate authority.
            try FileManager.default.removeItem(at: command.folder.file("mine"))
            // All blocks run in one shell, each with its own files for the output.
            let script = blocks.enumerated().map { number, block in
                let checks = block.files.map { "test -s \($0) || { echo 'The file \($0) is empty.' >&2; exit 1; }" }
                return (["exec >block-\(number).out 2>block-\(number).err", block.script] + checks).joined(separator: "\n")
            }
            // The trap ends all processes that the blocks start, also after a failed block.
            let cleanup = "kill -KILL $(cat *.pid 2>/dev/null) 2>/dev/null || :; tillroll store down >/dev/null 2>&1 || :"
            let prelude = "set -eu; PATH=\"${tillroll%/*}:$PATH\"; trap '\(cleanup)' EXIT"
            let outcome = try await command.shell("\(prelude)\n\(script.joined(separator: "\n"))")
            // The blocks after a failed one did not begin.
            let begun = blocks.indices.prefix { FileManager.default.fileExists(atPath: command.folder.file("block-\($0).out").path) }.count
            #expect(outcome.code == 0, "\(document), block \(begun), fails.")
            for (number, block) in blocks.prefix(begun).enumerated() {
                let place = "\(document), block \(number + 1)"
                #expect(!block.printed.isEmpty, "\(place), must state what it prints: # prints TEXT")
                let text = { (end: String) in
                    (try? command.read("block-\(number).\(end)")).map { String(decoding: $0, as: UTF8.self) } ?? ""
                }
                let (output, error) = (text("out"), text("err"))
                #expect(block.missing(in: "\(output)\n\(error)") == nil, "\(place), prints: \(output) \(error)")
                #expect(!error.contains("Error"), "\(place), fails: \(error)")
            }
        }
    }

    @Test func `every document with shell commands is run by a test`() throws {
        var found: Set<String> = []
        for folder in ["", "docs", "Examples", "Sources", "Benchmarks", "Fuzz", "Tests", "packaging"] {
            let paths = FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path)
            while let path = paths?.nextObject() as? String {
                // The root folder contains the build folder and others, too, and so do those of packages.
                if folder.isEmpty || path.split(separator: "/").last?.hasPrefix(".build") == true { paths?.skipDescendants() }
                guard path.hasSuffix(".md") else { continue }
                let document = folder.isEmpty ? path : "\(folder)/\(path)"
                if try !Self.blocks(of: document).isEmpty { found.insert(document) }
            }
        }
        #expect(found == Set(Self.documents).union(Self.otherDocuments.keys))
    }
}
