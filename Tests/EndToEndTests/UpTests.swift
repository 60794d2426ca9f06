import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing
import TillrollTour

@Suite struct UpTests {
    @Test func `what tillroll up says to try works as it is printed`() async throws {
        try await TemporaryFolder.with { folder in
            let up = try LineProcess(
                BuiltProducts.path("tillroll"),
                ["up", "--folder", folder.url.path, "--store-port", "0", "--server-port", "0"],
                standardError: .nullDevice
            )
            let welcome = await up.lines.prefix { !$0.hasPrefix("Stop both") }.reduce(into: [String]()) { $0.append($1) }
            let commands = welcome.filter { $0.hasPrefix("  ") && !$0.hasPrefix("  #") }
            #expect(commands.count == 7)

            // As a newcomer would type them: one shell, stopping at the first command that fails, each answer on a line of its own.
            let script = folder.file("try.sh")
            let lines = ["set -e"] + commands.flatMap { [$0, "echo"] }
            try lines.map { "\($0)\n" }.joined().write(to: script, atomically: true, encoding: .utf8)
            let shell = try LineProcess("/bin/bash", [script.path])
            let answers = await shell.lines.reduce(into: [String]()) { if !$1.isEmpty { $0.append($1) } }
            #expect(await shell.end() == 0)
            #expect(answers.count == 6 && answers.allSatisfy { $0.hasPrefix("{") && !$0.hasPrefix("{\"error\"") }, "\(answers)")
            #expect(answers.last?.contains(#""isGranted":true"#) == true)
            #expect(answers.last?.contains("DID_RENEW") == true)
            #expect(await up.terminate() == 0)
        }
    }
}
