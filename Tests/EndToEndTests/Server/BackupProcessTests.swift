import Foundation
import GRDB
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Synchronization
import Testing
import Wire
import WireClient

#if canImport(Glibc)
    import Glibc
#endif

/// Tests of `tillroll-server backup` and `tillroll-server restore` as processes.
@Suite struct BackupProcessTests {
    /// Sends requests until the server is killed, and collects those that were answered.
    private final class Clients: Sendable {
        private let requests: Mutex<[LoadRequest]>
        private let answered = Mutex<[LoadRequest]>([])
        private let customer: CustomerID

        init(_ load: ServerLoad) {
            requests = Mutex(load.requests.reversed())
            customer = load.customers[0]
        }

        /// The requests that were answered until now.
        var acknowledged: [LoadRequest] { answered.withLock { $0 } }

        func run(_ server: RunningServer) async throws {
            while true {
                // After the load, grants with new keys keep the server busy.
                let request =
                    requests.withLock { $0.popLast() }
                    ?? LoadRequest(kind: .grant, customer: customer, key: UUID().uuidString, amount: 1)
                do { _ = try await request.send(to: server.backend) } catch WireClientError.unreachable { return }
                answered.withLock { $0.append(request) }
            }
        }
    }

    /// Restores a backup into a new folder, and expects the postings of requests there, each once.
    private static func expect(_ requests: [LoadRequest], of load: ServerLoad, in backup: URL, keyFile: URL) async throws {
        try await TemporaryFolder.with { folder in
            try RunningServer.writeFiles(in: folder)
            let arguments = RunningServer.arguments(in: folder)
            let (code, lines) = try await RunningServer.run(["restore", backup.path] + arguments)
            #expect(code == 78 && lines.last?.contains("Copy the server's key file to this path.") == true, "\(lines)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("server.sqlite").path))
            try FileManager.default.copyItem(at: keyFile, to: folder.file("server.sqlite.key"))
            let (restored, report) = try await RunningServer.run(["restore", backup.path] + arguments)
            #expect(restored == 0 && report.last == "Run tillroll-server rebuild --verify next.", "\(report)")
            let (verified, differences) = try await RunningServer.run(["rebuild", "--verify"] + arguments)
            #expect(verified == 0 && differences.last?.hasPrefix("com.example.monkeyshop: differences: 0; ") == true, "\(differences)")
            let (audited, balances) = try await RunningServer.run(["ledger", "audit"] + arguments)
            #expect(audited == 0 && balances.last == "balanced", "\(balances)")

            let server = try await RunningServer.start(in: folder)
            for customer in load.customers {
                let postings = try await server.backend.postings(of: customer)
                #expect(Set(postings).count == postings.count)
                let expected = Set((load.grants + requests).filter { $0.customer == customer }.map(\.posting))
                #expect(expected.isSubset(of: postings), "\(expected.subtracting(postings))")
            }
            // What clients send again has its effect once.
            for request in load.grants + load.requests { _ = try await request.send(to: server.backend) }
            for customer in load.customers {
                let postings = try await server.backend.postings(of: customer)
                #expect(Set(postings).count == postings.count && load.postings(of: customer).isSubset(of: postings))
            }
            #expect(await server.process.terminate() == 0)
        }
    }

    @Test func `a backup under load contains what was acknowledged before, and is restored without differences`() async throws {
        try await TemporaryFolder.with { folder in
            let server = try await RunningServer.start(in: folder)
            var random = SeededRandom(seed: 11)
            let load = try ServerLoad(300, name: 1, using: &random)
            for grant in load.grants { _ = try await grant.send(to: server.backend) }
            let clients = Clients(load)
            let (backup, arguments) = (folder.file("backup"), RunningServer.arguments(in: folder))
            let before = try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await clients.run(server) } }
                try await eventually { clients.acknowledged.count > 100 }
                let before = clients.acknowledged
                let (code, lines) = try await RunningServer.run(["backup", backup.path] + arguments)
                #expect(code == 0 && lines.contains { $0.hasPrefix("\(backup.path): ") }, "\(lines)")
                #expect(
                    lines.contains { $0.contains("\(folder.file("server.sqlite.key").path). Keep a copy of that file in another place.") })
                // The server answered meanwhile.
                #expect(clients.acknowledged.count > before.count)
                kill(server.process.pid, SIGKILL)
                try await group.waitForAll()
                return before
            }
            #expect(await server.process.end() == SIGKILL)
            let keyFile = folder.file("server.sqlite.key")
            try await Self.expect(before, of: load, in: backup, keyFile: keyFile)

            // The killed server left its log, whose commits are in a backup, too.
            let (again, second) = try await RunningServer.run(["backup", folder.file("second").path, "--json"] + arguments)
            #expect(again == 0 && second.last?.contains(#""event":"copied""#) == true, "\(second)")
            try await Self.expect(clients.acknowledged, of: load, in: folder.file("second"), keyFile: keyFile)
            let (refused, reason) = try await RunningServer.run(["backup", folder.file("second").path] + arguments)
            #expect(refused == 73 && reason.last?.contains("exists, and the command replaces no file") == true, "\(reason)")
            let (over, existing) = try await RunningServer.run(["restore", backup.path] + arguments)
            #expect(over == 73 && existing.last?.contains("server.sqlite exists") == true, "\(existing)")
        }
    }

    @Test func `a killed command leaves no file with its name, and the next one completes`() async throws {
        try await RunningServer.with { server in
            let (folder, arguments) = (server.folder, RunningServer.arguments(in: server.folder))
            try await DatabaseQueue.waiting(path: server.database.path).write { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 128)
                            INSERT INTO receipt SELECT 'com.example.filler', CAST(i AS BLOB), zeroblob(1 << 20) FROM n;
                        """)
            }
            func interrupt(_ command: [String]) async throws {
                let process = try RunningServer.launch(command)
                for await line in process.lines where line.hasPrefix("copied ") { kill(process.pid, SIGKILL) }
                #expect(await process.end() == SIGKILL)
            }
            let backup = folder.file("backup").path
            try await interrupt(["backup", backup] + arguments)
            #expect(!FileManager.default.fileExists(atPath: backup))
            #expect(FileManager.default.fileExists(atPath: backup + ".incomplete"))
            let (code, lines) = try await RunningServer.run(["backup", backup] + arguments)
            #expect(code == 0, "\(lines)")
            #expect(!FileManager.default.fileExists(atPath: backup + ".incomplete"))

            let other = ["--database", folder.file("other.sqlite").path]
            let restore = ["restore", backup] + arguments.prefix { $0 != "--database" } + other + arguments.suffix(2)
            try FileManager.default.copyItem(at: folder.file("server.sqlite.key"), to: folder.file("other.sqlite.key"))
            try await interrupt(restore)
            #expect(!FileManager.default.fileExists(atPath: folder.file("other.sqlite").path))
            let (restored, report) = try await RunningServer.run(restore)
            #expect(restored == 0, "\(report)")
        }
    }

    @Test func `for PostgreSQL, the commands print those of PostgreSQL, without a password`() async throws {
        try await TemporaryFolder.with { folder in
            try RunningServer.writeFiles(in: folder)
            let all = RunningServer.arguments(in: folder)
            let file = folder.file("server.json")
            func write(_ keys: String) throws {
                try Data(#"{"secret-key-file":"\#(folder.file("key").path)"\#(keys)}"#.utf8).write(to: file)
            }
            try write("")
            let arguments = Array(all.prefix { $0 != "--database" } + all.suffix(2) + ["--configuration-file", file.path])
            let url = "postgresql://tillroll@db.example.com/tillroll"
            let (code, lines) = try await RunningServer.run(["backup", "a b"] + arguments + ["--database", url])
            #expect(code == 64, "\(lines)")
            #expect(lines.contains("pg_dump --format=custom --serializable-deferrable --file='a b' --dbname='\(url)'"), "\(lines)")
            let (restored, restore) = try await RunningServer.run(["restore", "a b"] + arguments + ["--database", url])
            #expect(restored == 64 && restore.contains { $0.hasPrefix("pg_restore ") }, "\(restore)")
            try write(#","database":"postgresql://tillroll:hunter2@db.example.com/tillroll""#)
            let (secret, hidden) = try await RunningServer.run(["backup", "b"] + arguments)
            #expect(secret == 64 && hidden.contains { $0.hasSuffix("--dbname=URI") }, "\(hidden)")
            #expect(!hidden.joined().contains("hunter2"))
        }
    }
}
