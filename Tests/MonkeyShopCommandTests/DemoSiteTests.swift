import Foundation
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import Testing

/// Tests of the files for `docs/demo-site.md`: the nginx configuration for the sample app's page, and the systemd unit.
@Suite(.timeLimit(.minutes(10))) struct DemoSiteTests {
    private static let docs = URL(filePath: #filePath).appending(path: "../../../docs/demo-site").standardizedFileURL
    private static let host = "shop.example.com"

    private func text(_ file: String) throws -> String {
        try String(contentsOf: Self.docs.appending(path: file), encoding: .utf8)
    }

    /// Returns the arguments of the unit's command, with a temporary folder and a free port.
    private func arguments(in folder: TemporaryFolder) throws -> [String] {
        let line = try #require(try text("monkeyshop.service").split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        return line.split(separator: " ").dropFirst().map {
            $0 == "7703" ? "0" : $0 == "/var/lib/monkeyshop" ? folder.file("shop").path : String($0)
        }
    }

    private func configuration(_ port: Int, _ backend: Int, in folder: TemporaryFolder) throws -> String {
        try text("nginx.conf")
            .replacing("listen 80;", with: "listen unix:\(folder.file("plain.sock").path);")
            .replacing("listen 443 ssl;", with: "listen 127.0.0.1:\(port) ssl;")
            .replacing("/etc/letsencrypt/live/shop.example.com", with: folder.url.path)
            .replacing("127.0.0.1:7703", with: "127.0.0.1:\(backend)")
    }

    @Test func `behind the documented nginx, the page works with TLS, and the visits of an address are limited`() async throws {
        try await TemporaryFolder.with { folder in
            let shop = try LineProcess(BuiltProducts.path("monkeyshop"), try arguments(in: folder) + ["--json"], standardError: .nullDevice)
            let line = try #require(await shop.lines.first { _ in true })
            let address = try #require(try JSONDecoder().decode([String: String].self, from: Data(line.utf8))["shop"])
            let backend = try #require(URL(string: address)?.port)
            let certificate = try LineProcess(
                "/usr/bin/openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                    "/CN=\(Self.host)", "-addext", "subjectAltName=DNS:\(Self.host)", "-keyout", folder.file("privkey.pem").path, "-out",
                    folder.file("fullchain.pem").path,
                ], standardError: .nullDevice)
            #expect(await certificate.end() == 0)
            try await NginxServer.with(in: folder, servers: { try configuration($0, backend, in: folder) }) { nginx in
                let script = """
                    curl() {
                        command curl --silent --max-time 10 --cacert "$1/fullchain.pem" --connect-to \(Self.host):443:127.0.0.1:$2 "${@:3}" || :
                    }
                    page=https://\(Self.host)
                    curl "$1" $2 $page/ | grep -c 'action="start"'
                    curl "$1" $2 --cookie-jar "$1/jar" --data '' --output /dev/null --dump-header - $page/start | grep -ci '^set-cookie:.*; secure'
                    curl "$1" $2 --cookie "$1/jar" $page/ | grep -c 'class="phone"'
                    curl "$1" $2 --cookie "$1/jar" --no-buffer $page/events --max-time 3 | grep -c '^event: page' | grep -v '^0'
                    for i in 1 2 3 4 5 6; do curl "$1" $2 --cookie "$1/jar" --data '' --output /dev/null --write-out '%{http_code}\\n' $page/start; done
                    """
                let port = nginx.url.text.split(separator: ":").last.map(String.init) ?? ""
                let client = try LineProcess("/bin/bash", ["-c", script, "bash", folder.url.path, port])
                let lines = await client.lines.reduce(into: [String]()) { $0.append($1) }
                #expect(lines.count == 10, "\(lines)")
                #expect(Array(lines.prefix(3)) == ["1", "1", "1"])
                #expect(lines.suffix(6).contains("303") && lines.last == "429", "\(lines)")
            }
            #expect(await shop.terminate() == 0)
            // The visitor's files remain, so that the visit can continue in the next process.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("shop/visitors").path).count == 1)
        }
    }

    @Test func `the systemd unit is valid, and restricts the service`() async throws {
        try await TemporaryFolder.with { folder in
            let unit = folder.file("monkeyshop.service")
            try text("monkeyshop.service").replacing("/usr/local/bin/monkeyshop", with: BuiltProducts.path("monkeyshop"))
                .write(to: unit, atomically: true, encoding: .utf8)
            for arguments in [["verify"], ["security", "--offline=true", "--threshold=15"]] {
                let process = try LineProcess("/usr/bin/systemd-analyze", arguments + [unit.path])
                let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
                #expect(await process.end() == 0, "\(arguments): \(lines.suffix(3))")
            }
        }
    }

    @Test(arguments: [
        (["--port", "70000"], "Invalid port 70000"), (["--visitors", "0"], "Invalid number of visitors 0"),
        (["--public-host", "https://shop.example.com/"], "Invalid host name"), (["--idle-minutes", "0"], "Invalid idle time 0"),
    ])
    func `wrong options are refused before a visitor comes`(_ options: [String], _ message: String) async throws {
        let process = try LineProcess("/bin/sh", ["-c", "exec \"$0\" serve \"$@\" 2>&1", BuiltProducts.path("monkeyshop")] + options)
        let lines = await process.lines.reduce(into: [String]()) { $0.append($1) }
        #expect(await process.end() == 64)
        #expect(lines.contains { $0.contains(message) }, "\(lines)")
    }
}
