import ArgumentParser
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import PurchaseModel
import PurchaseProtocol
import WireClient

/// Uploads the hosted content of a product to a store.
struct StoreContentCommand: StoreRequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "Give a store the file that whoever bought a product can download.",
        discussion: """
              tillroll store content com.example.book book.zip

            Exit codes: 0 done, 1 refused, 2 no store answers, 64 wrong usage.
            """
    )

    @Argument(help: "The product.") var product: String
    @Argument(help: "The file; it takes the place of an earlier one.", transform: givenPath) var file: String
    @Option(help: "The app; without it the store's first one.") var bundleID: String?
    @OptionGroup(title: "Store") var options: StoreOptions

    func ask(_ store: StoreClient) async throws -> Empty {
        let bundleID = try await store.app(bundleID)
        let source = try FileDescriptor.reading(file)
        defer { source.close() }
        guard let size = source.size else { throw ValidationError("\(file) is no file; give one to download.") }
        let content = WireContent(
            type: "application/octet-stream", body: .stream(FileParts(file: source), length: .known(Int64(size))))
        let path = Endpoint<Empty, Empty>(.get, HostEndpoints.contentPath)
        return try await store.send(.PUT, content, to: path.path(["bundle": bundleID.rawValue, "product": product]))
    }

    func lines(_ answer: Empty, _ style: TerminalStyle) -> [String] {
        ["\(TerminalText.safe(file)) is the content of \(TerminalText.safe(product))."]
    }
}
