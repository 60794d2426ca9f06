import Foundation
import GRDB
import LocalAppStore
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of a store that fails to start or is stopped while it starts.
@Suite struct StoreStartTests {
    /// Starts a command, waits until a file exists, sends a signal, and exits with the command's exit code.
    private static let stopAtFile = """
        set -m; mkdir tmp; export TMPDIR="$PWD/tmp"; command=${!1}; signal=$2; file=$3; shift 3
        "$command" "$@" & pid=$!
        until compgen -G "$file" > found; do kill -0 $pid || exit 99; done
        kill -s $signal $pid; wait $pid
        """

    @Test(arguments: ["TERM", "INT"], ["", "/lock", "/root.pem", "/api-key.p8"])
    func `an in-memory store that is stopped while it starts exits with 0 and removes its folder`(
        _ signal: String, _ file: String
    ) async throws {
        try await CommandFolder.with { command in
            let arguments = ["tillroll", signal, "tmp/tillroll-*\(file)", "store", "up", "--port", "0", "--json"]
            let outcome = try await command.shell(Self.stopAtFile, arguments)
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: command.folder.file("tmp").path).isEmpty)
        }
    }

    @Test(arguments: ["TERM", "INT"], ["", "/lock", "/store.sqlite", "/store-roots.pem", "/server.sqlite"])
    func `monkeyshop up exits with 0 if it is stopped while it starts`(
        _ signal: String, _ file: String
    ) async throws {
        try await CommandFolder.with { command in
            let arguments = [
                "monkeyshop", signal, "sample\(file)", "up", "--folder", "sample", "--store-port", "0", "--server-port", "0",
                "--shop-port", "0",
            ]
            let outcome = try await command.shell(Self.stopAtFile, arguments)
            #expect(outcome.code == 0, "\(outcome.error)")
        }
    }

    @Test(arguments: [
        ("root.pem", ["tillroll", "store", "up", "--folder", "shop", "--port", "0", "--json"]),
        ("api-key.p8", ["tillroll", "store", "up", "--folder", "shop", "--port", "0"]),
        ("store-roots.pem", ["monkeyshop", "up", "--folder", "shop", "--store-port", "0", "--server-port", "0", "--shop-port", "0"]),
    ])
    func `a store whose key files can't be written reports the file and does not run`(_ file: String, _ arguments: [String]) async throws {
        try await CommandFolder.with { command in
            let outcome = try await command.shell(
                "mkdir -p shop/\(file); command=${!1}; shift; exec timeout 60 \"$command\" \"$@\"", arguments)
            #expect(outcome.code == 64 && outcome.text.isEmpty)
            #expect(outcome.error.contains("shop/\(file) can't be written"), "\(outcome.error)")
        }
    }

    @Test func `a new store ignores the write-ahead log of a deleted store`() async throws {
        try await CommandFolder.with { command in
            let folder = command.folder.file("shop")
            let first = try await RunningStore.start(["--folder", folder.path], in: command)
            _ = try await first.json("store", "buy", RunningStore.seeds.rawValue, "--account", "jane")
            await first.process.kill()
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: "store.sqlite-wal").path))
            try FileManager.default.removeItem(at: folder.appending(path: "store.sqlite"))
            let second = try await RunningStore.start(["--folder", folder.path], in: command)
            #expect(try await second.run("store", "accounts").text.contains("jane") == false)
            _ = try await second.json("store", "buy", RunningStore.seeds.rawValue, "--account", "ben")
            #expect(await second.process.terminate() == 0)
        }
    }

    /// A file with invalid content at the path of a store's file.
    enum UnrelatedFile: String, CaseIterable {
        case empty, text, truncated, otherApplicationID, noApplicationID, laterVersion

        func write(to url: URL) async throws {
            switch self {
            case .empty: try Data().write(to: url)
            case .text: try Data(String(repeating: "not a database\n", count: 500).utf8).write(to: url)
            case .truncated:
                try await Self.createStore(at: url)
                let bytes = try Data(contentsOf: url)
                try bytes.prefix(bytes.count / 2).write(to: url)
            case .otherApplicationID, .noApplicationID:
                let database = try DatabaseQueue(path: url.path)
                try await database.write { db in
                    try db.execute(sql: "CREATE TABLE settings (name TEXT); INSERT INTO settings VALUES ('ours')")
                    if self == .otherApplicationID { try db.execute(sql: "PRAGMA application_id = 42") }
                }
                try database.close()
            case .laterVersion:
                try await Self.createStore(at: url)
                let database = try DatabaseQueue(path: url.path)
                try await database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 from a later version')") }
                try database.close()
            }
        }

        private static func createStore(at url: URL) async throws {
            let path = url.path
            let configuration = LocalAppStoreConfiguration(bundleID: .test, catalog: .empty, database: .file(path))
            _ = try await LocalAppStore(configuration: configuration, logger: .silent)
            // Leaving WAL mode writes the write-ahead log into the file.
            let database = try DatabaseQueue(path: path)
            try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try database.close()
        }
    }

    @Test(arguments: UnrelatedFile.allCases, ["store.sqlite", "stores/sister.sqlite"])
    func `a file that is not a store is refused with its name and does not change`(_ unrelatedFile: UnrelatedFile, _ name: String)
        async throws
    {
        try await CommandFolder.with { command in
            try FileManager.default.createDirectory(at: command.folder.file("shop/stores"), withIntermediateDirectories: true)
            let file = command.folder.file("shop/\(name)")
            try await unrelatedFile.write(to: file)
            let bytes = try Data(contentsOf: file)
            let outcome = try await command.shell("exec timeout 60 \"$tillroll\" store up --folder shop --port 0 --json")
            #expect(outcome.code == 65 && outcome.text.isEmpty)
            #expect(outcome.error.contains("shop/\(name): The file "), "\(outcome.error)")
            #expect(try Data(contentsOf: file) == bytes)
        }
    }

    @Test(arguments: [
        ["store", "up", "--port", "0", "--folder", ""], ["store", "up", "--port", "0", "--storekit", ""],
        ["store", "up", "--detach", "--ready-file", ""], ["store", "up", "--detach", "--log-file", ""],
        ["store", "env", "--ready-file", ""], ["store", "down", "--ready-file", ""],
        ["store", "create", "--storekit", ""], ["store", "create", "--files", ""], ["store", "show", "--files", ""],
        ["store", "import", ""],
        ["store", "import", "shop.tillroll", "--files", ""], ["store", "export", ""], ["store", "app", "--storekit", ""],
        ["store", "content", "com.example.book", ""], ["store", "import-history", "", "--account", "jane"],
        ["receipt", "issue", "--authority", ""],
        ["receipt", "issue", "--authority", "mine", "--output", ""], ["receipt", "verify", ""], ["jws", "issue", "--authority", ""],
        ["jws", "issue", "--authority", "mine", "--output", ""], ["jws", "issue", "--authority", "mine", "--payload", ""],
        ["jws", "verify", "--root", "", "mine/roots.pem"], ["verify-batch", "", "--bundle-id", "com.example.app"],
        ["verify-batch", "mine", "--bundle-id", "com.example.app", "--output", ""], ["storekit", "lint", ""],
        ["offer", "sign", "promotional", "--key", ""],
    ])
    func `an empty path is refused and does not mean the current folder`(_ arguments: [String]) async throws {
        try await CommandFolder.with { command in
            let before = try FileManager.default.contentsOfDirectory(atPath: command.folder.url.path)
            let outcome = try await command.shell("exec timeout 60 \"$tillroll\" \"$@\"", arguments)
            #expect(outcome.code == 64 && outcome.text.isEmpty && !outcome.error.isEmpty, "\(outcome.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: command.folder.url.path) == before)
        }
    }
}
