import BenchmarkReport
import Foundation
import PurchaseModel

extension ServerMeasurements {
    /// The number of customers who bought the large file.
    private static let buyers = 64

    /// Measures downloads of a large file, compared with nginx, and the memory that slow clients take.
    func content() async throws -> [ReportLine] {
        let first = Self.firstNumber(3)
        let customers = (0..<Self.buyers).map { _ in CustomerID(UUID()) }
        try record(customers.enumerated().map { samples.owned(BenchmarkShop.film, first + $0.offset, for: $0.element) })
        return try downloads(customers) + slowClients(customers)
    }

    private func downloads(_ customers: [CustomerID]) throws -> [ReportLine] {
        let nginx = try NginxProcess(launcher)
        defer { nginx.stop() }
        let file = HTTPRequestText.get("/\(BenchmarkFolder.film)")
        let count = isShort ? 1 : 3
        var rates: [(server: Double, nginx: Double)] = []
        // The first round fills the file cache, and the server computes the file's digests.
        for round in 0...(isShort ? 1 : 5) {
            let downloads = try tokens(of: Array(customers.shuffled().prefix(count))).map(download)
            let result = (server: try rate(server.port, downloads), nginx: try rate(nginx.port, downloads.map { _ in file }))
            if round > 0 { rates.append(result) }
        }
        let megabytes = isShort ? 1.0 : 100
        return [
            ReportLine(
                title: "a download of \(Int(megabytes)) MB", value: rates.map(\.server).median * megabytes, unit: "MB/s", basis: "nginx",
                ratio: rates.map { $0.server / $0.nginx }.median, minimum: 0.5)
        ]
    }

    /// Returns the downloads in a second, one after another.
    private func rate(_ port: Int, _ requests: [[UInt8]]) throws -> Double {
        var rest = requests[...]
        return try LoadClient(port: port, connections: 1).run { rest.popFirst() }.rate
    }

    private func slowClients(_ customers: [CustomerID]) throws -> [ReportLine] {
        let downloads = try tokens(of: customers).map(download)
        let before = server.process.residentKiB
        let memory = try LoadClient(port: server.port).readSlowly(downloads, rounds: isShort ? 2 : 20) { server.process.residentKiB }
        return [
            ReportLine(
                title: "memory for \(customers.count) slow downloads", value: max(0, (memory.max() ?? 0) - before) / 1_024, unit: "MiB",
                limit: 64)
        ]
    }

    /// Returns a new download token for each customer.
    private func tokens(of customers: [CustomerID]) throws -> [String] {
        struct Reply: Decodable {
            let token: String
        }
        var requests = customers.map { customer in
            let fields = ["Authorization: Bearer \(keys.secret)", "Tillroll-Customer: \(customer.rawValue)"]
            return HTTPRequestText.post("/v1/content/\(BenchmarkShop.film)/download-tokens", fields, [])
        }[...]
        var tokens: [String] = []
        let append = { (response: ArraySlice<UInt8>) in
            guard let body = response.firstIndex(of: UInt8(ascii: "{")) else { return }
            if let reply = try? JSONDecoder().decode(Reply.self, from: Data(response[body...])) { tokens.append(reply.token) }
        }
        _ = try LoadClient(port: server.port, connections: 1).run({ requests.popFirst() }, onResponse: append)
        guard tokens.count == customers.count else { throw LoadClient.Failure.response("no download token") }
        return tokens
    }

    private func download(_ token: String) -> [UInt8] {
        HTTPRequestText.get("/v1/content/\(BenchmarkShop.film)", ["Authorization: Bearer \(token)"])
    }
}

/// An nginx with one worker, which serves the folder with the content.
private struct NginxProcess {
    let port: Int
    private let process: MeasuredProcess

    init(_ launcher: ProcessLauncher) throws {
        // nginx can't choose a free port, and another process can take the port before nginx does.
        port = try LoadClient.freePort()
        let home = launcher.folder.url.appending(path: "nginx", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(home.path)/\($0);" }
        let configuration = """
            daemon off;
            master_process off;
            pid \(home.path)/nginx.pid;
            error_log stderr warn;
            events {}
            http {
                access_log off;
                sendfile on;
                \(folders.joined(separator: "\n    "))
                server {
                    listen 127.0.0.1:\(port);
                    root \(launcher.folder.content.path);
                }
            }
            """
        let file = home.appending(path: "nginx.conf")
        try Data(configuration.utf8).write(to: file)
        // Debian's nginx is not in the path of every user.
        process = try launcher.start(
            command: ["sh", "-c", "PATH=\"$PATH:/usr/sbin\"; exec nginx -c \"$0\" -p \"$1\"", file.path, home.path])
        for _ in 0..<500 where !LoadClient.isListening(port) { usleep(10_000) }
        guard LoadClient.isListening(port) else {
            process.kill()
            throw LoadClient.Failure.response("nginx does not listen; install it with scripts/setup")
        }
    }

    func stop() { process.kill() }
}
