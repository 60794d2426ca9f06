import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests that the shell commands in the documentation work unchanged.
@Suite struct DocumentedCommandsTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// Returns the blocks of shell commands in a document, in order.
    private static func blocks(of document: String) throws -> [String] {
        let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
        return text.components(separatedBy: "```sh\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
    }

    @Test(arguments: [
        ("README.md", 1), ("docs/commands.md", 10), ("docs/testing-your-backend.md", 10), ("docs/server.md", 12),
        ("docs/storekit-on-linux.md", 1), ("Sources/PurchaseKit/PurchaseKit.docc/FirstPurchase.md", 1),
    ])
    func `every command of a document works, in order`(_ document: String, _ count: Int) async throws {
        let blocks = try Self.blocks(of: document)
        #expect(blocks.count >= count)
        try await CommandFolder.with { command in
            // A new user has no certificate authority.
            try FileManager.default.removeItem(at: command.folder.file("mine"))
            // All blocks run in one shell; the printed numbers show the failed block.
            let script = blocks.enumerated().map { "echo '# block \($0 + 1)' >&2\n\($1)" }.joined(separator: "\n")
            // The trap ends all processes that the blocks start, also after a failed block or with blocked signals.
            let prelude = "set -eu; PATH=\"${tillroll%/*}:$PATH\"; trap 'kill -KILL $(cat *.pid) 2>/dev/null || :' EXIT"
            let outcome = try await command.shell("\(prelude)\n\(script)")
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(!outcome.error.contains("Error"), "\(outcome.error)")
        }
    }
}
