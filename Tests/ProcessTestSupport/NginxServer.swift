package import Foundation
package import PurchaseModel
package import PurchaseTestSupport

/// An nginx in front of a server, which runs as the current user and keeps its files in a folder of its own.
package struct NginxServer: Sendable {
    /// The error that nginx did not start.
    package struct Failed: Error {
        /// The output of nginx.
        package let lines: [String]
    }

    /// The location with the content, which only the server behind nginx can choose.
    package static let location = "/protected/"

    package let url: HTTPURL
    private let process: LineProcess

    /// Runs `body` with an nginx that forwards requests to a port, and serves the files of a folder at ``location``.
    package static func with<Result>(
        proxying backend: Int, content: URL, in folder: TemporaryFolder, _ body: (NginxServer) async throws -> Result
    ) async throws -> Result {
        try await with(in: folder, servers: { server(port: $0, proxying: backend, content: content) }, body)
    }

    /// Runs `body` with an nginx.
    ///
    /// - Parameter servers: Returns the servers of the configuration, of which one listens on a port of 127.0.0.1.
    package static func with<Result>(
        in folder: TemporaryFolder, servers: (_ port: Int) throws -> String, _ body: (NginxServer) async throws -> Result
    ) async throws -> Result {
        let server = try await start(in: folder, servers)
        do {
            let result = try await body(server)
            await server.process.kill()
            return result
        } catch {
            await server.process.kill()
            throw error
        }
    }

    private static func start(in folder: TemporaryFolder, _ servers: (_ port: Int) throws -> String) async throws -> NginxServer {
        var lines: [String] = []
        // nginx can't choose a free port, and another process can take the port before nginx does.
        for attempt in 0..<10 {
            let own = try await FreePort.find()
            let home = folder.file("nginx-\(attempt)")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let file = home.appending(path: "nginx.conf")
            try Data(configuration(servers(own), home: home).utf8).write(to: file)
            let process = try LineProcess(
                "/bin/sh", ["-c", "PATH=\"$PATH:/usr/sbin\"; exec nginx -c \"$0\" -p \"$1\" 2>&1", file.path, home.path])
            // nginx prints the system's name when it listens.
            for await line in process.lines {
                if line.contains("OS: ") { return NginxServer(url: HTTPURL(loopbackPort: own), process: process) }
                lines.append(line)
            }
            _ = await process.end()
        }
        throw Failed(lines: lines)
    }

    /// A configuration with the files of the process in a folder.
    private static func configuration(_ servers: String, home: URL) -> String {
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(home.path)/\($0);" }
        return """
            daemon off;
            master_process off;
            pid \(home.path)/nginx.pid;
            error_log stderr notice;
            events { worker_connections 64; }
            http {
                access_log off;
                \(folders.joined(separator: "\n    "))
                \(servers)
            }
            """
    }

    /// The server that docs/server.md recommends for content.
    private static func server(port: Int, proxying backend: Int, content: URL) -> String {
        """
        server {
            listen 127.0.0.1:\(port);
            location / {
                proxy_pass http://127.0.0.1:\(backend);
                proxy_set_header Host $http_host;
            }
            location \(location) {
                internal;
                alias \(content.path.hasSuffix("/") ? content.path : content.path + "/");
                etag off;
                if_modified_since off;
                add_header ETag $upstream_http_etag;
                add_header Repr-Digest $upstream_http_repr_digest;
                add_header X-Content-Type-Options $upstream_http_x_content_type_options;
            }
        }
        """
    }
}
