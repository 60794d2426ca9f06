import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PurchaseModel
import PurchaseProtocol
import WireClient

/// Creates a store from an exported file.
struct StoreImportCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make a store of a file that `export` wrote, beside the others of a host.",
        discussion: """
            It has the same keys, accounts, purchases and time, and an address of its own.

              tillroll store import store.tillroll --name copy

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The file.") var file: String
    @Option(help: "The store's name: up to 64 of a-z, 0-9 and -.") var name: String?
    @Flag(help: "Keep it in a file of the host's folder.") var keep = false
    @OptionGroup var files: KeyFilesOptions
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> StoreDescription {
        let source = try FileDescriptor.reading(file)
        guard let size = source.size else {
            source.close()
            throw ValidationError("\(file) is no file; give one that `export` wrote.")
        }
        var query = keep ? ["kept": "true"] : [:]
        query["name"] = name
        let content = WireContent(
            type: "application/vnd.sqlite3", body: .stream(FileParts(file: source), length: .known(Int64(size))))
        defer { source.close() }
        return try files.publish(try await store.host.send(.POST, content, to: HostEndpoints.importPath, query: query))
    }

    func lines(_ answer: StoreDescription, _ style: TerminalStyle) -> [String] {
        ["\(style.good("imported"))  \(answer.url)"]
    }
}
