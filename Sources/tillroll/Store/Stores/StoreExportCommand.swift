import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import PurchaseModel
import PurchaseProtocol
import WireClient

/// Exports a store's complete state to a file.
struct StoreExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that a store knows into one file, its keys included.",
        discussion: """
            The file is a SQLite database; `import` makes a store of it that gives the same answers.

              tillroll store export store.tillroll

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage, 74 the file can't be written.
            """
    )

    @Argument(help: "The file to write.", transform: givenPath) var file: String
    @OptionGroup(title: "Store") var options: StoreOptions

    func run() async throws {
        StandardStreams.prepare()
        let store = try options.client()
        var count = 0
        do {
            let response = try await store.open(HostEndpoints.exportPath)
            // The incomplete export has a name of its own, because an incomplete file is no valid export.
            let part = "\(file).part-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: part) }
            let output = try FileDescriptor.opening(part, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            defer { output.close() }
            for try await buffer in response.body {
                count += buffer.readableBytes
                try output.write(Array(buffer: buffer))
            }
            guard rename(part, file) == 0 else { throw SystemError(number: errno) }
        } catch let error as WireClientError {
            throw store.tell(error)
        } catch let error as SystemError {
            StandardError.line("Error: \(file) can't be written: \(error). Choose another file.")
            throw StandardOutput.failure
        }
        if options.json {
            let answer = ["file": file, "bytes": "\(count)"]
            try StandardOutput.bytes([UInt8](try WireJSON.encode(answer)) + [UInt8(ascii: "\n")])
        } else {
            try StandardOutput.lines(["\(TerminalText.safe(file)): \(count) bytes, with the store's private keys."])
        }
    }
}
