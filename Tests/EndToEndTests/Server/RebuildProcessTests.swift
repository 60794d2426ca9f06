import Foundation
import GRDB
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing

/// Tests of `tillroll-server rebuild` as a process, while a server serves.
@Suite struct RebuildProcessTests {
    /// Starts a server, sends it requests, and calls `body` with the arguments of a rebuild.
    private static func withLoad(
        _ count: Int, _ body: (RunningServer, _ rebuild: @Sendable ([String]) -> [String]) async throws -> Void
    ) async throws {
        try await RunningServer.with { server in
            var random = SeededRandom(seed: 7)
            let load = try ServerLoad(count, name: 1, using: &random)
            for request in load.grants + load.requests { _ = try await request.send(to: server.backend) }
            let arguments = RunningServer.arguments(in: server.folder)
            try await body(server) { ["rebuild"] + arguments + $0 }
        }
    }

    @Test func `the command finds damage while the server runs, names it in words, and repairs it`() async throws {
        try await Self.withLoad(60) { server, rebuild in
            let (clean, lines) = try await RunningServer.run(rebuild(["--verify"]))
            #expect(clean == 0 && lines.last?.hasPrefix("com.example.monkeyshop: differences: 0; ") == true, "\(lines)")
            try await DatabaseQueue.waiting(path: server.database.path).write {
                try $0.execute(sql: "UPDATE ledger_balance SET amount = amount + 1")
            }
            let (code, found) = try await RunningServer.run(rebuild(["--verify"]))
            #expect(code == 1 && found.last?.contains("differences: 3; ") == true, "\(found)")
            #expect(found.contains { $0.hasPrefix("com.example.monkeyshop  customer ") && $0.hasSuffix("The balance of credits differs.") })
            #expect(found.contains { $0.hasPrefix("  amount: stored ") })
            #expect(found.contains("  Run tillroll-server rebuild to write the recomputed value."))
            let (again, json) = try await RunningServer.run(rebuild(["--verify", "--json"]))
            #expect(again == 1 && json.count { $0.contains(#""event":"difference""#) } == 3, "\(json)")
            #expect(json.last?.contains(#""isConsistent":false"#) == true, "\(json)")
            let (repaired, report) = try await RunningServer.run(rebuild([]))
            #expect(repaired == 0 && report.last?.contains("differences: 3, repaired: 3; ") == true, "\(report)")
            #expect(try await RunningServer.run(rebuild(["--verify"])).code == 0)
            try await DatabaseQueue.waiting(path: server.database.path).write { db in
                try db.execute(sql: "UPDATE signed_event SET signed_transaction = replace(signed_transaction, '.', '.A')")
            }
            let (damaged, restore) = try await RunningServer.run(rebuild([]))
            #expect(damaged == 1 && restore.contains { $0.hasPrefix("  Restore the row from a backup. ") }, "\(restore)")
        }
    }

    @Test func `a killed command continues where it was, and nothing that it found is lost`() async throws {
        try await Self.withLoad(500) { server, rebuild in
            try await DatabaseQueue.waiting(path: server.database.path).write { db in
                try db.execute(sql: "UPDATE purchase SET customer = 'somebody'")
            }
            var lines: [String] = []
            repeat {
                let process = try RunningServer.launch(rebuild(["--verify", "--json", "--restart"]))
                lines = []
                for await line in process.lines {
                    lines.append(line)
                    // At least one page of purchases is complete.
                    if line.contains(#""pass":"purchases""#) { break }
                }
                await process.kill()
                // What the process printed before it was killed.
                for await line in process.lines { lines.append(line) }
                // On a busy machine, the process can end before it is killed.
            } while lines.last?.contains(#""isConsistent""#) == true
            let (code, rest) = try await RunningServer.run(rebuild(["--verify", "--json"]))
            #expect(code == 1 && rest.first?.contains(#""event":"continued""#) == true, "\(rest.first ?? "")")
            let (_, all) = try await RunningServer.run(rebuild(["--verify", "--json", "--restart"]))
            func differences(_ lines: [String]) -> [String] { lines.filter { $0.contains(#""event":"difference""#) } }
            #expect(differences(rest).count < differences(all).count)
            #expect(Set(differences(lines) + differences(rest)) == Set(differences(all)))
        }
    }
}
