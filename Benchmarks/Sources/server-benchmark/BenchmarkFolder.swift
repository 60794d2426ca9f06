import Foundation

/// The files that the measured processes share.
struct BenchmarkFolder: Sendable {
    /// The name of the large file of ``BenchmarkShop/film``.
    static let film = "film.bin"

    let url: URL

    /// The server's database.
    var database: URL { url.appending(path: "server.sqlite") }
    /// The connection URI of the PostgreSQL database that the server uses in place of ``database``; nil for none.
    var postgres: String? {
        get { try? String(contentsOf: url.appending(path: "postgres"), encoding: .utf8) }
        nonmutating set { try? newValue?.write(to: url.appending(path: "postgres"), atomically: true, encoding: .utf8) }
    }
    /// The root certificate of the signed samples, in PEM.
    var roots: URL { url.appending(path: "roots.pem") }
    /// The folder with the products' files.
    var content: URL { url.appending(path: "content", directoryHint: .isDirectory) }
    /// The standard error of the measured processes.
    var log: URL { url.appending(path: "log") }
    /// The signed samples that a process verifies, one per line.
    var samples: URL { url.appending(path: "samples") }

    /// Writes the large file, which can't be compressed.
    func writeFilm(length: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let block = (0..<(1 << 17)).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
        var film = Data(capacity: length)
        while film.count < length { film.append(contentsOf: block.prefix(length - film.count)) }
        try film.write(to: content.appending(path: Self.film))
    }

    /// Creates a folder, and removes it after `body` returns.
    static func with<Result>(_ body: (BenchmarkFolder) async throws -> Result) async throws -> Result {
        let folder = BenchmarkFolder(url: FileManager.default.temporaryDirectory.appending(path: "server-benchmark-\(UUID().uuidString)"))
        defer { try? FileManager.default.removeItem(at: folder.url) }
        try FileManager.default.createDirectory(at: folder.content, withIntermediateDirectories: true)
        try Data().write(to: folder.log)
        return try await body(folder)
    }
}
