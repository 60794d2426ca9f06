import ContentStorage
import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import Testing

/// Tests that common clients resume downloads which a SIGKILL of the server interrupts.
@Suite struct ContentClientTests {
    private static let album = ContentServer.bytes(24 << 20)

    /// A client as a shell command with the URL in `$1`, the header in `$2`, and the name of the file in `$3`.
    struct Client: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Downloads slowly; the file grows while it runs.
        let start: String
        /// Continues the download, and prints the status of the response.
        let resume: String
    }

    static let clients = [
        Client(
            testDescription: "curl -C -", start: #"curl -sS --limit-rate 4M -H "$2" -o "$3" "$1""#,
            resume: #"curl -sS -C - -D - -H "$2" -o "$3" "$1""#),
        Client(
            testDescription: "wget -c", start: #"wget -q --tries=1 --limit-rate=4m --header="$2" -O "$3" "$1""#,
            resume: #"wget -c -S --tries=1 --header="$2" -O "$3" "$1""#),
        Client(
            testDescription: "aria2c",
            start: #"aria2c -q --no-conf --max-tries=1 --file-allocation=none --max-download-limit=4M --header="$2" -d . -o "$3" "$1""#,
            resume: #"aria2c -c --no-conf --max-tries=1 --file-allocation=none --log=- --log-level=info --header="$2" -d . -o "$3" "$1""#),
        Client(
            testDescription: "aria2c with four connections",
            start: #"aria2c -q --no-conf -x 4 -s 4 -k 1M --max-tries=1 --file-allocation=none --max-download-limit=4M --header="$2" "#
                + #"-d . -o "$3" "$1""#,
            resume: #"aria2c -c --no-conf -x 4 -s 4 -k 1M --max-tries=1 --file-allocation=none --log=- --log-level=info --header="$2" "#
                + #"-d . -o "$3" "$1""#),
    ]

    /// Runs a script in a folder, and returns its exit code and its output.
    private static func run(
        _ script: String, _ arguments: [String], in folder: TemporaryFolder, onLine: (String) -> Void = { _ in }
    ) async throws -> (code: Int32, lines: [String]) {
        let process = try LineProcess("/bin/bash", ["-c", "cd \"$0\"; exec 2>&1; \(script)", folder.url.path] + arguments)
        var lines: [String] = []
        for await line in process.lines {
            onLine(line)
            lines.append(line)
        }
        return (await process.end(), lines)
    }

    @Test(arguments: clients)
    func `a client resumes a download after the server was killed, and has the right file`(_ client: Client) async throws {
        try await TemporaryFolder.with { folder in
            try await ContentServer.with(in: folder) { content in
                try await content.publish(Self.album)
                let token = try await content.token()
                let header = "Authorization: Bearer \(token.token)"
                // `tail` waits for the file and follows it, and `head` ends after the first mebibyte.
                let start = """
                    (\(client.start)) &
                    tail -c +1 -F "$3" 2>/dev/null | head -c 1048576 >/dev/null
                    echo received
                    wait $!
                    """
                let first = try await Self.run(
                    start, ["\(content.url)\(ContentServer.path)", header, "album"], in: folder
                ) { line in
                    if line == "received" { kill(content.server.process.pid, SIGKILL) }
                }
                #expect(first.code != 0, "\(first.lines)")
                _ = await content.server.process.end()
                let server = try await content.server.restart(content.options)
                let second = try await Self.run(
                    client.resume, ["http://127.0.0.1:\(server.port)\(ContentServer.path)", header, "album"], in: folder)
                await server.process.kill()
                #expect(second.code == 0, "\(second.lines.suffix(20))")
                #expect(second.lines.contains { $0.contains("HTTP/1.1 206") }, "\(second.lines.suffix(50))")
                #expect(try Data(contentsOf: folder.file("album")) == Self.album)
                #expect(token.sha256 == ContentDigest(of: Self.album).hexadecimal)
            }
        }
    }
}
