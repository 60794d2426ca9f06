import Foundation
import GRDB
import NIOCore
import NIOPosix
import ProcessTestSupport
import PurchaseTestSupport
import StoreTestSupport
import Testing

/// Tests of configurations that the built `tillroll-server` refuses with one line and exit code 78.
@Suite struct ServerConfigurationTests {
    /// Runs a server with valid files except for the arguments; `environment` has shell assignments.
    private func run(
        environment: String = "", file: String? = nil, products: String = RunningServer.products, options: [String] = []
    ) async throws -> (code: Int32, lines: [String]) {
        try await TemporaryFolder.with { folder in
            try RunningServer.writeFiles(products: products, in: folder)
            var arguments = RunningServer.arguments(in: folder) + options
            if let file {
                try Data(file.utf8).write(to: folder.file("server.json"))
                arguments += ["--configuration-file", folder.file("server.json").path]
            }
            // The timeout ends a server that accepts the wrong configuration.
            let script = "exec env \(environment) timeout 10 \"$0\" \"$@\" 2>&1"
            let process = try LineProcess("/bin/sh", ["-c", script, BuiltProducts.path("tillroll-server")] + arguments)
            let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
            return (await process.end(), lines)
        }
    }

    private func expect(
        _ outcome: (code: Int32, lines: [String]), _ texts: [String], code: Int32 = 78, _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.code == code, "\(outcome.lines)", sourceLocation: sourceLocation)
        #expect(outcome.lines.count == 1, "\(outcome.lines)", sourceLocation: sourceLocation)
        let line = outcome.lines.first ?? ""
        #expect(line.hasPrefix("tillroll-server: "), "\(line)", sourceLocation: sourceLocation)
        for text in texts { #expect(line.contains(text), "\(line)", sourceLocation: sourceLocation) }
        #expect(!line.contains("hunter2"), sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        (#"{"revokation":"hard"}"#, ["revokation: ", "most similar key is revocation"]),
        (#"{"shared_secret":"hunter2"}"#, ["shared_secret: ", "most similar key is shared-secret"]),
        (
            #"{"verify-receipt":{"sandbox-uri":"http://127.0.0.1"}}"#,
            ["verify-receipt.sandbox-uri: ", "most similar key is verify-receipt.sandbox-url"]
        ),
        (#"{"verify-receipt":"http://127.0.0.1"}"#, ["verify-receipt: "]),
        (#"{"Database":"x"}"#, ["Database: ", "most similar key is database"]),
        (#"{"":"x"}"#, ["this is not a key"]),
        (#"{"shared-secret":5}"#, ["shared-secret: ", "wrong type"]),
        (#"{"shared-secret":null}"#, ["shared-secret: ", "wrong type"]),
        (#"{"revocation":true}"#, ["revocation: ", "wrong type"]),
        (#"{"database":["x"]}"#, ["database: ", "wrong type"]),
        (#"{"host":{"name":"x"}}"#, ["host: ", "wrong type"]),
        (#"{"console-port":80.5}"#, ["console-port: ", "0 to 65535"]),
        (#"{"console-port":65536}"#, ["console-port: ", "0 to 65535"]),
        (#"{"revocation":"off","revocation":"hard"}"#, ["revocation: ", "twice"]),
        (#"{"verify-receipt":{},"verify-receipt":{}}"#, ["verify-receipt: ", "twice"]),
        (#"["revocation"]"#, ["configuration-file: ", "JSON object"]),
        ("revocation: hard", ["configuration-file: ", "JSON object"]),
        ("", ["configuration-file: ", "JSON object"]),
    ])
    func `a configuration file with an unknown key or an invalid value is refused`(_ file: String, _ texts: [String]) async throws {
        expect(try await run(file: file), texts)
    }

    @Test func `a PostgreSQL server that does not run is no wrong configuration`() async throws {
        // The last option takes precedence.
        let outcome = try await run(
            file: #"{"secret-key-file":"/nowhere"}"#, options: ["--database", "postgresql://tillroll@/tillroll?host=/nowhere"])
        expect(outcome, ["database: PostgreSQL can't be reached"], code: 75)
    }

    @Test(arguments: [
        ("TILLROLL_REVOKATION=hard", ["TILLROLL_REVOKATION: ", "most similar key is TILLROLL_REVOCATION"]),
        ("TILLROLL_SHAREDSECRET=hunter2", ["TILLROLL_SHAREDSECRET: ", "most similar key is TILLROLL_SHARED_SECRET"]),
        ("TILLROLL_REVOCATION=sometimes", ["revocation: ", "off, soft, hard"]),
        ("TILLROLL_SERVER_PORT=8080", ["TILLROLL_SERVER_PORT: "]), ("TILLROLL_SERVICE_HOSTS=x", ["TILLROLL_SERVICE_HOSTS: "]),
        ("TILLROLL_CONSOLE_PORT=x", ["console-port: ", "0 to 65535"]),
        ("TILLROLL_METRICS_PORT=65536", ["metrics-port: ", "0 to 65535"]),
        ("TILLROLL_METRICS_TOKEN=short", ["metrics-token: ", "openssl rand"]),
        ("TILLROLL_LOG_FORMAT=xml", ["log-format: ", "text or json"]),
    ])
    func `an unknown environment variable of this program is refused`(_ variable: String, _ texts: [String]) async throws {
        expect(try await run(environment: variable), texts)
    }

    @Test(arguments: [
        (
            ["--confirm-transactions", "hard"],
            ["confirm-transactions: ", "no key", "app-store-server-api.private-key-file", "off or soft"]
        ),
        (["--confirm-transactions", "on"], ["confirm-transactions: ", "off, soft, hard"]),
        (["--sandbox-purchases", "some"], ["sandbox-purchases: ", "entitlements, all, none"]),
        (["--trusted-proxies", "127.0.0.1,proxy"], ["trusted-proxies: ", "\"proxy\"", "10.0.0.0/8"]),
        (["--renewal-leeway-hours", "721"], ["renewal-leeway-hours: ", "0 to 720"]),
    ])
    func `an option with an invalid value is refused`(_ options: [String], _ texts: [String]) async throws {
        expect(try await run(options: options), texts)
    }

    @Test(arguments: [
        (#"[{"id":"a","credit":5}]"#, ["products-file: ", "product 1", "\"credit\"", "most similar member is credits"]),
        (#"[{"id":"a"},{"id":"b","files":"x"}]"#, ["product 2", "\"files\"", "most similar member is file"]),
        (#"[{"id":"a","credits":"5"}]"#, ["product 1, credits"]), (#"[{"id":"a","credits":5.5}]"#, ["product 1, credits"]),
        (#"[{"id":"a","credits":99999999999999999999}]"#, ["product 1, credits"]), (#"[{"id":5}]"#, ["product 1, id"]),
        (#"[{"id":""}]"#, ["product 1, id"]), (#"[{"id":"a\u0000b"}]"#, ["product 1, id"]),
        (#"[{"id":"a","file":["x"]}]"#, ["product 1, file"]), (#"[{"id":"a"},{"id":"a"}]"#, ["a is listed twice"]),
        (#"[{"id":"a","credits":1,"credits":1000}]"#, ["product 1, credits", "twice"]), (#"["a"]"#, ["product 1"]),
        (#"{"products":[]}"#, ["the beginning"]), ("", ["not JSON"]),
    ])
    func `a products file with invalid content is refused`(_ products: String, _ texts: [String]) async throws {
        expect(try await run(products: products), texts)
    }

    @Test func `the database of another program is refused and does not change`() async throws {
        let writers: [(URL) throws -> Void] = [
            { try DatabaseQueue.waiting(path: $0.path).write { try $0.execute(sql: "CREATE TABLE secret (a)") } },
            { try DatabaseQueue.waiting(path: $0.path).write { try $0.execute(sql: "PRAGMA application_id = 7") } },
            { try Data(String(repeating: "not a database\n", count: 10).utf8).write(to: $0) },
        ]
        for write in writers {
            try await TemporaryFolder.with { folder in
                try RunningServer.writeFiles(in: folder)
                try write(folder.file("server.sqlite"))
                let before = try Data(contentsOf: folder.file("server.sqlite"))
                expect(try await RunningServer.run(RunningServer.arguments(in: folder)), ["database: ", "another program"])
                #expect(try Data(contentsOf: folder.file("server.sqlite")) == before)
            }
        }
    }

    @Test func `a database of this server can be reopened, and a database of a newer version is refused`() async throws {
        try await TemporaryFolder.with { folder in
            for _ in 1...2 {
                let server = try await RunningServer.start(in: folder)
                #expect(await server.process.terminate() == 0)
            }
            try await DatabaseQueue.waiting(path: folder.file("server.sqlite").path).write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('99 of a newer version')")
            }
            expect(try await RunningServer.run(RunningServer.arguments(in: folder)), ["database: ", "newer version"])
        }
    }

    @Test(arguments: ["port", "console-port"]) func `a port in use ends the server with one line that names the key`(_ key: String)
        async throws
    {
        let occupied = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(occupied.localAddress?.port)
        let outcome = try await run(options: ["--\(key)", "\(port)", "--log-level", "critical"])
        expect(outcome, ["\(key): 127.0.0.1:\(port) ", "another process uses the port"])
        try await occupied.close().get()
    }

    @Test func `an address of another machine ends the server with one line that names the address`() async throws {
        // This address is reserved for documentation (RFC 5737), so no machine has it.
        let outcome = try await run(options: ["--host", "192.0.2.1", "--log-level", "critical"])
        expect(outcome, ["host: 192.0.2.1:0 ", "not an address of this machine", "127.0.0.1"])
    }

    @Test(arguments: [
        "TILLROLL_SHARED_SESSION=x", "TILLROLL_SERVER_SERVICE_HOST=10.0.0.1", "TILLROLL_SERVER_SERVICE_PORT=80",
        "TILLROLL_SERVER_SERVICE_PORT_HTTP=80", "TILLROLL_SERVER_PORT=tcp://10.0.0.1:80", "TILLROLL_SERVER_PORT_80_TCP=tcp://10.0.0.1:80",
        "TILLROLL_SERVER_PORT_80_UDP_ADDR=10.0.0.1", "TILLROLL_MY_SHOP_PORT_80_TCP_PROTO=tcp", "TILLROLL_SERVICE_HOST=10.0.0.1",
    ])
    func `variables of other programs and of Kubernetes are ignored`(_ variable: String) async throws {
        let options = ["--log-level", "critical", "--console-port", "x"]
        expect(try await run(environment: variable, options: options), ["console-port: "])
    }

    @Test func `variables of the tillroll command are ignored`() async throws {
        let options = ["--log-level", "critical", "--console-port", "x"]
        let members = [
            "SANDBOX_VERIFY_RECEIPT", "PRODUCTION_VERIFY_RECEIPT", "SERVER_API", "PRODUCTION_SERVER_API", "ROOT_CERTIFICATE", "API_KEY",
            "KEY_ID", "ISSUER_ID", "BUNDLE_ID", "APP_APPLE_ID", "CONSOLE", "TLS_URL", "TLS_PORT",
        ]
        let environment = "TILLROLL_STORE=http://127.0.0.1:1 TILLROLL_TOKEN=hunter2" + members.map { " TILLROLL_STORE_\($0)=1" }.joined()
        // The server refuses only the invalid console port.
        expect(try await run(environment: environment, options: options), ["console-port: "])
    }
}
