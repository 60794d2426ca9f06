import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

@Suite struct UpTests {
    @Test func `the commands that monkeyshop up prints work unchanged`() async throws {
        try await TemporaryFolder.with { folder in
            let up = try LineProcess(
                BuiltProducts.path("monkeyshop"),
                ["up", "--folder", folder.url.path, "--store-port", "0", "--server-port", "0", "--shop-port", "0"],
                standardError: .nullDevice
            )
            let output = await up.lines.prefix { !$0.hasPrefix("Stop the command") }.reduce(into: [String]()) { $0.append($1) }
            let commands = output.filter { $0.hasPrefix("  ") && !$0.hasPrefix("  #") && !$0.contains("(secret") }
            #expect(commands.count == 7)

            // All commands run in one shell, which stops at the first failed command. The server's answers are lines of JSON.
            let script = folder.file("try.sh")
            let lines = ["set -e", "tillroll() { '\(BuiltProducts.path("tillroll"))' \"$@\"; }"] + commands.flatMap { [$0, "echo"] }
            try lines.map { "\($0)\n" }.joined().write(to: script, atomically: true, encoding: .utf8)
            let shell = try LineProcess("/bin/bash", [script.path])
            let answers = await shell.lines.reduce(into: [String]()) { if !$1.isEmpty { $0.append($1) } }
            #expect(await shell.end() == 0, "\(answers)")
            let entitlements = try #require(answers.first { $0.hasPrefix("{") })
            #expect(entitlements.contains(#""isActive":true"#) && entitlements.contains(#""SUBSCRIBED"#), "\(entitlements)")
            let text = answers.joined(separator: "\n")
            for part in ["purchased", "2000000000000002", "DID_RENEW"] { #expect(text.contains(part), "\(part): \(text)") }
            #expect(await up.terminate() == 0)
        }
    }
}
