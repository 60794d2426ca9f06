package import Foundation
import PurchaseIssuing
import PurchaseModel
package import PurchaseTestSupport
import Testing
import Wire
package import WireClient

/// A `tillroll-server` process that trusts ``PurchaseTestSupport/TestAuthority`` in the sandbox.
package struct RunningServer {
    /// The default list of products.
    package static let products = #"[{"id":"com.example.monkeyshop.credits5","credits":5}]"#

    package let process: LineProcess
    package let port: Int
    package let folder: TemporaryFolder
    /// A secret key of the server.
    package let key: String

    /// A backend with the secret key.
    package var backend: ServerBackend { ServerBackend(wire: wire, key: key) }

    package var wire: WireClient { WireClient(baseURL: "http://127.0.0.1:\(port)") }
    /// The SQLite database file.
    package var database: URL { folder.file("server.sqlite") }

    /// Starts `tillroll-server` with its log on standard output.
    package static func launch(_ arguments: [String], openFiles: Int? = nil) throws -> LineProcess {
        let limit = openFiles.map { "ulimit -n \($0); " } ?? ""
        return try LineProcess("/bin/sh", ["-c", "\(limit)exec \"$0\" \"$@\" 2>&1", BuiltProducts.path("tillroll-server")] + arguments)
    }

    /// Runs `tillroll-server` until it exits, and returns its exit code and output.
    package static func run(_ arguments: [String]) async throws -> (code: Int32, lines: [String]) {
        let process = try launch(arguments)
        let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
        return (await process.end(), lines)
    }

    /// Creates a secret key with the command of the server.
    package static func secretKey(_ arguments: [String]) async throws -> String { try await key("secret", arguments) }

    /// Creates an API key of a kind with the command of the server.
    package static func key(_ kind: String, _ arguments: [String]) async throws -> String {
        let (code, lines) = try await run(["keys", "create", kind] + arguments)
        return try #require(code == 0 ? lines.last : nil, "\(lines)")
    }

    /// The arguments of a server whose files are in a folder.
    package static func arguments(in folder: TemporaryFolder) -> [String] {
        [
            "--environment", "sandbox", "--bundle-id", BundleID.test.rawValue, "--port", "0",
            "--products-file", folder.file("products.json").path, "--content-folder", folder.url.path,
            "--database", folder.file("server.sqlite").path, "--extra-roots-file", folder.file("roots.pem").path,
        ]
    }

    /// Returns the options of a server with a PostgreSQL database, whose other files are in a folder.
    package static func options(postgres url: String, in folder: TemporaryFolder) throws -> [String] {
        ["--database", url] + (try options(["secret-key-file": folder.file("secrets.key").path], in: folder))
    }

    /// Returns the options of a server with settings in a configuration file.
    package static func options(_ settings: [String: String], in folder: TemporaryFolder) throws -> [String] {
        let file = folder.file("server.json")
        try JSONEncoder().encode(settings).write(to: file)
        return ["--configuration-file", file.path]
    }

    /// Writes the list of products and the roots into a folder.
    package static func writeFiles(products: String = products, in folder: TemporaryFolder) throws {
        try Data(products.utf8).write(to: folder.file("products.json"))
        try Data(TestAuthority.shared.authority.rootsPEM.utf8).write(to: folder.file("roots.pem"))
    }

    /// Starts a server whose files are in a folder, and waits until it logs its port.
    package static func start(
        _ options: [String] = [], products: String = products, openFiles: Int? = nil, in folder: TemporaryFolder
    ) async throws -> RunningServer {
        try writeFiles(products: products, in: folder)
        let key = try await secretKey(arguments(in: folder) + options)
        return try await listen(options, key: key, openFiles: openFiles, in: folder)
    }

    /// Starts a server again with the same files and the same key, after its process has ended.
    package func restart(_ options: [String] = []) async throws -> RunningServer {
        try await Self.listen(options, key: key, in: folder)
    }

    private static func listen(
        _ options: [String], key: String, openFiles: Int? = nil, in folder: TemporaryFolder
    ) async throws -> RunningServer {
        let process = try launch(arguments(in: folder) + options, openFiles: openFiles)
        let line = try #require(await process.lines.first { $0.contains("[tillroll_server] listening") })
        let port = try #require(line.split(separator: " ").first { $0.hasPrefix("port=") }.flatMap { Int($0.dropFirst(5)) })
        return RunningServer(process: process, port: port, folder: folder, key: key)
    }

    /// Starts a server, calls `body` with it, and terminates it afterward, as a service manager does.
    package static func with(
        _ options: [String] = [], products: String = products, _ body: (RunningServer) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let server = try await start(options, products: products, in: folder)
            do { try await body(server) } catch {
                _ = await server.process.terminate()
                throw error
            }
            #expect(await server.process.terminate() == 0)
        }
    }
}
