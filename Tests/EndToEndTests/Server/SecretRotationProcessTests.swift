import Foundation
import PostgresTestSupport
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of `tillroll-server secrets rotate` in several processes.
@Suite(.postgresCluster, .timeLimit(.minutes(10))) struct SecretRotationProcessTests {
    @Test(arguments: ["SQLite", "PostgreSQL"])
    func `first commands and rotations at once succeed, and no secret is lost`(_ kind: String) async throws {
        try await TemporaryFolder.with { folder in
            try RunningServer.writeFiles(in: folder)
            let options = kind == "SQLite" ? [] : try RunningServer.options(postgres: PostgresClusterTrait.createDatabaseURL(), in: folder)
            let arguments = RunningServer.arguments(in: folder) + options
            /// Runs a command in several processes, and returns the last line of each.
            func run(_ command: [String], count: Int) async throws -> [String] {
                try await withThrowingTaskGroup(of: String.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            let (code, lines) = try await RunningServer.run(command + arguments)
                            #expect(code == 0, "\(lines)")
                            return lines.last ?? ""
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            let keys = try await run(["keys", "verification"], count: 8)
            #expect(Set(keys).count == 1)
            #expect(try await run(["secrets", "rotate"], count: 6).count { $0.contains("for earlier backups") } == 6)
            #expect(try await run(["keys", "verification"], count: 1) == [keys[0]])
            #expect(try await run(["secrets", "rotate", "--remove-earlier-keys"], count: 1)[0].contains("has no earlier key"))
            #expect(try await run(["keys", "verification"], count: 1) == [keys[0]])
        }
    }

    @Test func `a backup from before a rotation is restored with the new key file, and the command says so`() async throws {
        try await TemporaryFolder.with { folder in
            try RunningServer.writeFiles(in: folder)
            let arguments = RunningServer.arguments(in: folder)
            let keys = try await RunningServer.run(["keys", "verification"] + arguments)
            #expect(try await RunningServer.run(["backup", folder.file("backup").path] + arguments).code == 0)
            #expect(try await RunningServer.run(["secrets", "rotate"] + arguments).code == 0)
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(at: folder.file("server.sqlite\(suffix)")) }
            let (code, lines) = try await RunningServer.run(["restore", folder.file("backup").path] + arguments)
            #expect(code == 0 && lines.contains { $0.contains("2 secrets are encrypted with an earlier key") }, "\(lines)")
            #expect(try await RunningServer.run(["keys", "verification"] + arguments).lines == keys.lines)
        }
    }
}
