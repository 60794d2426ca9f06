import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of `monkeyshop terminal`.
@Suite struct TerminalCommandTests {
    @Test func `commands from a pipe are carried out in their order, and the next run continues`() async throws {
        try await CommandFolder.with { command in
            let bought = try await command.shell("printf '1 2\\n1\\n3\\n' | \"$monkeyshop\" terminal --folder shop")
            #expect(bought.code == 0 && bought.text.contains("» Thank you!"), "\(bought.error)")
            let next = try await command.shell("echo quit | \"$monkeyshop\" terminal --folder shop")
            #expect(next.code == 0 && next.text.contains("10 credits\n"), "\(next.text)")
        }
    }

    @Test(arguments: ["TERM", "INT", "HUP"])
    func `a signal ends the app, which leaves no files`(_ signal: String) async throws {
        try await CommandFolder.with { command in
            let script = """
                set -m; mkdir tmp; export TMPDIR="$PWD/tmp"; mkfifo commands; exec 3<>commands
                "$monkeyshop" terminal <&3 >printed & pid=$!
                until grep -q MonkeyShop printed; do kill -0 $pid || exit 99; done
                kill -s \(signal) $pid; wait $pid
                """
            let outcome = try await command.shell(script)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: command.folder.file("tmp").path).isEmpty)
        }
    }
}
