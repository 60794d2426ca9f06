import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of the scripts that `make test` runs its stages with.
@Suite struct ScriptTests {
    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "scripts").path(percentEncoded: false)

    /// The rows of the table at the end of the output of `scripts/stages`, without seconds.
    private func table(_ output: String) -> [String] {
        output.split(separator: "\n").drop { !$0.hasPrefix("stage") }.dropFirst().map { row in
            row.split(separator: " ").enumerated().filter { $0.offset != 1 || $0.element == "-" }.map { String($0.element) }
                .joined(separator: " ")
        }
    }

    @Test func `stages run in order, and those with + beside the next`() async throws {
        try await CommandFolder.with { folder in
            // The stages a and b can end only while the other runs.
            let run = try await folder.shell(
                """
                mkfifo one two
                "\(Self.scripts)/stages" first 'echo first' +a 'echo >one; read -r line <two; echo a' +b 'echo b' c 'read -r line <one; echo >two; echo c'
                """)
            #expect(run.code == 0)
            #expect(Array(run.lines.prefix(4)) == ["first", "c", "a", "b"])
            #expect(table(run.text) == ["first", "a beside the next", "b beside the next", "c", "total"])
        }
    }

    @Test func `a stage that fails ends the run, which shows the failures of all stages beside it`() async throws {
        try await CommandFolder.with { folder in
            let run = try await folder.shell("'\(Self.scripts)/stages' +a 'echo wrong; exit 4' +b true c 'exit 3' d true")
            #expect(run.code == 3)
            #expect(run.text.contains("wrong"))
            #expect(
                table(run.text) == [
                    "a beside the next failed with exit status 4", "b - beside the next", "c failed with exit status 3", "d -", "total",
                ])
        }
    }

    @Test func `a failure beside a stage that succeeds fails the run`() async throws {
        try await CommandFolder.with { folder in
            let run = try await folder.shell("'\(Self.scripts)/stages' +a 'exit 4' b true c true")
            #expect(run.code == 1)
            #expect(table(run.text) == ["a beside the next failed with exit status 4", "b", "c -", "total"])
        }
    }

    @Test(arguments: ["", "a", "+a true", "a true +b true"])
    func `stages without commands are refused`(_ arguments: String) async throws {
        try await CommandFolder.with { folder in
            let run = try await folder.shell("'\(Self.scripts)/stages' \(arguments)")
            #expect(run.code == 64)
            #expect(run.error.contains("scripts/stages"))
        }
    }

    @Test func `a check runs again only after a failure or a change of its files`() async throws {
        try await CommandFolder.with { folder in
            let run = try await folder.shell(
                """
                git init --quiet . && mkdir scripts Sources Tests && cp '\(Self.scripts)/once' scripts
                touch Package.swift Sources/a Tests/status && git add .
                check() { scripts/once check Sources -- bash -c 'echo ran; exit "$(<Tests/status)"' || echo "exit status $?"; }
                echo 5 >Tests/status; check
                echo 0 >Tests/status; check
                check
                echo changed >Sources/a; check
                touch Sources/new; check
                rm Sources/a; check
                check
                echo 6 >Tests/status; echo changed >Package.swift; check
                check
                """)
            let skipped = "check: no file has changed since its last success"
            #expect(
                run.lines == [
                    "ran", "exit status 5", "ran", skipped, "ran", "ran", "ran", skipped, "ran", "exit status 6", "ran", "exit status 6",
                ])
        }
    }
}
