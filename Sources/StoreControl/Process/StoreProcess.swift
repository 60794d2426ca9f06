#if os(macOS) || os(Linux)
    import Foundation
    import FoundationExtras
    import PurchaseModel
    public import StoreProtocol

    /// Starts local stores in processes of their own, for tests and tools.
    public enum StoreProcess {
        /// Starts a store, calls `body` when the store is ready, and ends the store.
        ///
        /// The store is a child process, `tillroll store up --json` at a free port, whose current folder is a new temporary folder. The
        /// process ends when `body` returns or throws, also in a canceled task: first with SIGTERM, and with SIGKILL after the grace time.
        /// The folder is then removed. If this process is killed, the store ends by itself (`--until-input-ends`). Without `--folder` in
        /// `arguments`, the state of the store is in memory.
        ///
        /// ```swift
        /// try await StoreProcess.withStore(storekit: "Shop.storekit") { store, description in
        ///     try await store.buy("com.example.pro", for: "jane")
        /// }
        /// ```
        ///
        /// - Parameters:
        ///   - executable: The path of `tillroll`, or its name in a folder of the environment variable `PATH`.
        ///   - storekit: The path of the `.storekit` file with the products; nil for a store without products.
        ///   - arguments: Further options of `tillroll store up`, such as `--bundle-id` and `--notify`; paths in them must be absolute.
        ///   - startSeconds: The number of seconds within which the store must be ready.
        ///   - graceSeconds: The number of seconds between SIGTERM and SIGKILL.
        ///   - body: The code that uses the store. Its parameters are a client of the store, and the description with the addresses, the
        ///     root certificate and the API key for a developer's server.
        /// - Returns: The result of `body`.
        /// - Throws: The error of `body`; ``StoreControlError/notStarted(_:)`` with the reason if the store does not start, and
        ///   ``StoreControlError/canceled`` if the task is canceled before the store is ready.
        @discardableResult
        public static func withStore<Result>(
            executable: String = "tillroll", storekit: String? = nil, arguments: [String] = [], startSeconds: Int64 = 60,
            graceSeconds: Int64 = 10, _ body: (StoreClient, StoreDescription) async throws -> Result
        ) async throws -> Result {
            let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
            do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
                throw StoreControlError.notStarted("The folder \(folder.path) can't be created. Set TMPDIR to another folder.")
            }
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = storekit.map { ["--storekit", URL(filePath: $0).standardizedFileURL.path] } ?? []
            let process = try StoreChildProcess(
                try path(of: executable), ["store", "up", "--port", "0", "--json", "--until-input-ends"] + file + arguments, in: folder)
            let result: Result
            do {
                let client = try await Self.client(of: process, seconds: startSeconds)
                result = try await body(client, try await client.description())
            } catch {
                await process.end(graceSeconds: graceSeconds)
                throw error
            }
            await process.end(graceSeconds: graceSeconds)
            return result
        }

        /// The members of the line that `tillroll store up --json` prints when the store is ready.
        private struct Announcement: Decodable {
            let url: HTTPURL
            let token: String?
        }

        /// Waits until the process prints its address, and returns a client of the store.
        private static func client(of process: StoreChildProcess, seconds: Int64) async throws(StoreControlError) -> StoreClient {
            let line: String?
            do {
                line = try await withDeadline(.seconds(seconds)) { await process.lines.first { _ in true } }
            } catch is DeadlineExceeded {
                throw .notStarted("The process printed no address within \(seconds) s. \(process.messages)")
            } catch {
                throw .canceled
            }
            // The lines also end in a canceled task.
            guard !Task.isCancelled else { throw .canceled }
            guard let line else { throw .notStarted("The process ended before the store was ready. \(process.messages)") }
            guard let announcement = try? WireJSON.decode(Announcement.self, from: Data(line.utf8)) else {
                throw .notStarted("The first line of the process is not an address: \(line.prefix(200)). Give the path of tillroll.")
            }
            return StoreClient(url: announcement.url, token: announcement.token)
        }

        /// Returns the path of an executable; a name without a slash is looked up in the folders of `PATH`.
        private static func path(of executable: String) throws(StoreControlError) -> String {
            let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
            let candidates = executable.contains("/") ? [executable] : folders.map { "\($0)/\(executable)" }
            guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
                throw .notStarted("There is no executable \(executable). Give the path of tillroll, or add its folder to PATH.")
            }
            return URL(filePath: path).standardizedFileURL.path
        }
    }
#endif
