import ContentStorage
import Foundation
import ProcessTestSupport
import PurchaseIssuing
import PurchaseKit
import PurchaseModel
import PurchaseTestSupport
import ServerProtocol
import StoreTestSupport
import Testing
import Wire
import WireClient

/// A `tillroll-server` whose customer has bought a product with content.
struct ContentServer {
    static let product: ProductID = "com.example.monkeyshop.book"
    static let products = #"[{"id":"com.example.monkeyshop.book"},{"id":"com.example.monkeyshop.album"}]"#
    static let customer: CustomerID = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

    let server: RunningServer
    let options: [String]

    /// Starts a server with further options, records the purchase, and runs `body`.
    static func with(_ options: [String] = [], in folder: TemporaryFolder, _ body: (ContentServer) async throws -> Void) async throws {
        let content = ContentServer(server: try await RunningServer.start(options, products: products, in: folder), options: options)
        do {
            try await content.server.backend.submit(sale())
            try await body(content)
        } catch {
            await content.server.process.kill()
            throw error
        }
        await content.server.process.kill()
    }

    /// A signed transaction for the product.
    static func sale(_ change: (inout TransactionPayload) -> Void = { _ in }) throws -> SignedTransaction {
        var payload = TransactionPayload.sample(product: product)
        payload.type = ProductType.nonConsumable.rawValue
        payload.appAccountToken = customer
        change(&payload)
        return try TestAuthority.shared.signedData.sign(payload)
    }

    /// Bytes that differ from kibibyte to kibibyte.
    static func bytes(_ count: Int) -> Data {
        var (data, value) = (Data(capacity: count + 8), UInt64(88_172_645_463_325_252))
        while data.count < count {
            // The generator xorshift64.
            value ^= value << 13
            value ^= value >> 7
            value ^= value << 17
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }

    /// The base URL of the server.
    var url: HTTPURL { server.wire.baseURL }

    /// Runs a subcommand of `tillroll-server content` with the configuration of the server.
    func command(_ arguments: String...) async throws -> (code: Int32, lines: [String]) {
        try await RunningServer.run(["content"] + arguments + RunningServer.arguments(in: server.folder) + options)
    }

    /// Writes bytes to a file, and publishes the file.
    func publish(_ bytes: Data, name: String = "book.epub", version: String = "1") async throws {
        let file = server.folder.file("source-\(name)")
        try bytes.write(to: file)
        let (code, lines) = try await command(
            "publish", Self.product.rawValue, file.path, "--version", version, "--file-name", name)
        #expect(code == 0 && lines.last?.hasPrefix("published  ") == true, "\(lines)")
    }

    func token() async throws -> DownloadToken {
        try await server.backend.call(
            ServerEndpoints.downloadToken, Empty(), Self.customer, parameters: ["product": Self.product.rawValue])
    }

    /// The path of the downloads.
    static var path: String { ServerEndpoints.content.path(["product": product.rawValue]) }

    /// Downloads the content of a server through PurchaseKit.
    func download(from url: HTTPURL, to folder: URL) async throws -> Data {
        let credentials: CustomerCredentials = try await server.backend.call(ServerEndpoints.customerToken, Empty(), Self.customer)
        let key = try await RunningServer.key("publishable", RunningServer.arguments(in: server.folder) + options)
        let downloader = ContentDownloader(
            serverURL: url,
            credentials: ServerCredentials(publishableKey: key, customerToken: credentials.token, verificationKeys: nil),
            folder: folder.path)
        return try Data(contentsOf: URL(filePath: try await downloader.fetch(Self.product).path))
    }
}

/// A response with its headers by lower-case names.
struct ContentAnswer {
    let status: Int
    let headers: [String: String]
    let body: Data

    /// Requests the content from a server with a download token; nil sends no token.
    static func get(
        _ token: String?, _ headers: [String: String] = [:], path: String = ContentServer.path, method: String = "GET", from url: HTTPURL
    ) async throws -> ContentAnswer {
        var headers = headers
        if let token { headers["Authorization"] = "Bearer \(token)" }
        let answer = try await WireClient(baseURL: url).answer(method, path, headers, nil)
        let fields = Dictionary(answer.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        return ContentAnswer(status: answer.status, headers: fields, body: answer.body)
    }
}
