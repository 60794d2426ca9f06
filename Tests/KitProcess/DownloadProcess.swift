import Foundation
import PurchaseKit
import PurchaseModel
import Synchronization

/// A download of content in a process of its own, which a test can kill at any time.
///
/// Each line of output is an event: `started` and `received` with a number of bytes, and at the end `installed` with the path, the SHA-256
/// and the largest resident memory of the process in KiB.
enum DownloadProcess {
    struct Usage: Error {}

    /// Downloads the content of the product `book`.
    ///
    /// - Parameter arguments: The base address of the server, and the folder for content.
    static func run(_ arguments: ArraySlice<String>) async throws {
        guard let text = arguments.first, let url = HTTPURL(text), let folder = arguments.dropFirst().first else { throw Usage() }
        let credentials = ServerCredentials(publishableKey: "pk_a", customerToken: "ct_a", verificationKeys: nil)
        let lock = Mutex(())
        let print: @Sendable (String) -> Void = { line in
            lock.withLock { _ in FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
        }
        let content = try await ContentDownloader(serverURL: url, credentials: credentials, folder: folder).fetch("book") { event in
            switch event {
            case .started(let bytes): print("started \(bytes)")
            case .received(let bytes): print("received \(bytes)")
            case .announced, .broken, .installed: break
            }
        }
        print("installed \(content.path) \(content.sha256) \(try peakMemory())")
    }

    private static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}
