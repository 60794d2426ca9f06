import ContentStorage
import Crypto
import Foundation
import FoundationExtras
import PrivateFiles
import ProcessTestSupport
import PurchaseModel
import PurchaseTestSupport
import StoreTestSupport
import Testing

/// Large content that arrives intact despite lost connections and killed processes.
///
/// `make soak` downloads a gigabyte with 50 lost connections and 10 kills; `make test` a smaller file.
@Suite struct LargeDownloadTests {
    private static let isSoak = ProcessInfo.processInfo.environment["TILLROLL_SOAK"] != nil
    private static let (length, cuts, kills): (Int64, Int, Int) = isSoak ? (1 << 30 + 12_345, 50, 10) : (64 << 20 + 5, 10, 3)
    /// The number of connections of a download.
    private static let connections: Int64 = 4
    /// The largest resident memory of the process in MiB, of which a debug build needs about half before the download.
    private static let memory = 160

    /// A number in a line of the process, such as `received 5`.
    private func number(_ name: String, in line: String) -> Int64? {
        line.hasPrefix(name + " ") ? Int64(line.dropFirst(name.count + 1)) : nil
    }

    @Test func `large content arrives intact, and little is fetched again`() async throws {
        let server = try LargeContentServer(length: Self.length, cuts: Self.cuts)
        let url = try await server.listen()
        let folder = try TemporaryFolder()
        let start = ContinuousClock.now
        var (received, lost, installed): (Int64, Int64, String?) = (0, 0, nil)
        for session in 0...Self.kills {
            let target = Self.length / Int64(Self.kills + 1) * Int64(session + 1)
            let process = try LineProcess(BuiltProducts.path("KitProcess"), ["download", url.text, folder.url.path(percentEncoded: false)])
            for await line in process.lines {
                if let present = number("started", in: line) {
                    // Each connection can lose the chunk that it was receiving, when the process is killed.
                    #expect(present >= received - Self.connections * ContentManifest.chunkLength, "session \(session)")
                    lost += max(0, received - present)
                    received = present
                }
                if let bytes = number("received", in: line) {
                    received = max(received, bytes)
                    if session < Self.kills, bytes >= target { kill(process.pid, SIGKILL) }
                }
                if line.hasPrefix("installed ") { installed = line }
            }
            _ = await process.end()
        }
        let words = try #require(installed).split(separator: " ").map { String($0) }
        #expect(words.count == 4 && words[2] == server.sha256)
        #expect(Hexadecimal.encode(try FileDigest.sha256(words[1])) == server.sha256)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path(percentEncoded: false)) == [server.sha256])
        let memory = (Int(words[3]) ?? .max) / 1024
        #expect(memory < Self.memory)

        #expect(server.remainingCuts == 0)
        // A byte that was received twice in an app session would count twice.
        #expect(received == Self.length)
        print(
            "\(Self.length) bytes, \(Self.cuts) lost connections, \(Self.kills) kills: \(ContinuousClock.now - start), "
                + "\(server.requests) requests, \(lost) bytes fetched again, peak memory \(memory) MiB"
        )
    }
}
