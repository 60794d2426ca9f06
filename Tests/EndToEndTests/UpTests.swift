import Foundation
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

            // As a newcomer would type them: one shell, one command after the other, stopping at the first that fails.
            let script = folder.file("try.sh")
            var lines = commands.map { command in command.contains("TOKEN=$(") ? command : command + " --fail-with-body; echo" }
            // Nobody types faster than the notification travels; a script does, so its last question is asked until it has arrived.
            let question = lines.removeLast()
            lines.append("for i in $(seq 1000); do answer=$(\(question)); case $answer in *DID_RENEW*) break;; esac; done; echo $answer")
            try (["set -e"] + lines).joined(separator: "\n").write(to: script, atomically: true, encoding: .utf8)
            let shell = try LineProcess("/bin/bash", [script.path])
            let answers = await shell.lines.reduce(into: [String]()) { if !$1.isEmpty { $0.append($1) } }
            #expect(await shell.end() == 0)
            #expect(answers.count == 6 && answers.allSatisfy { $0.hasPrefix("{") }, "\(answers)")
            #expect(answers.last?.contains(#""isGranted":true"#) == true)
            #expect(answers.last?.contains("DID_RENEW") == true)
            #expect(await up.terminate() == 0)
        }
    }
}
