import AppStoreServerAPI
import Foundation
import LocalAppStore
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreProtocol
import StoreTestSupport
import Testing
import Wire

/// The examples in the documentation of `AppStoreServerAPIClient`, and those of `docs/testing-your-backend.md`.
@Suite struct ExampleTests {
    @Test func `the examples of the documentation are the tested ones`() throws {
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let source = tests.appending(path: "../../../Sources/AppStoreServerAPI/Client/AppStoreServerAPIClient.swift").standardizedFileURL
        let documentation = try String(contentsOf: source, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.hasPrefix("///") ? String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)) : nil
        }.joined(separator: "\n")
        let blocks = documentation.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        let examples = try String(contentsOf: tests.appending(path: "ClientExamples.swift"), encoding: .utf8)
        #expect(blocks.count == 3)
        for block in blocks { #expect(examples.contains(block), "\(block)") }
    }

    @Test func `the Swift code of the page about backends is in the examples, to the letter`() throws {
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        let page = tests.appending(path: "../../../docs/testing-your-backend.md").standardizedFileURL
        let blocks = CodeBlock.all(in: try String(contentsOf: page, encoding: .utf8))
        let source = try String(contentsOf: tests.appending(path: "LocalStoreExamples.swift"), encoding: .utf8)
        #expect(blocks.count == 1)
        for block in blocks { #expect(block.appears(in: source), "\(block.lines.first ?? "")") }
    }

    @Test func `a client and a verifier are made from the line that a local store prints`() async throws {
        try await StoreHarness.listen(clock: SystemWallClock()) { store in
            try await TemporaryFolder.with { folder in
                let (root, key) = (folder.file("root.pem"), folder.file("api-key.p8"))
                var description = try await store.call(HostEndpoints.currentStore, Empty())
                try Data(description.rootCertificate.utf8).write(to: root)
                try Data(description.apiKey.utf8).write(to: key)
                (description.rootCertificate, description.apiKey, description.serverAPI) = (root.path, key.path, store.url.text)
                let printed = try JSONDecoder().decode(LocalStoreDescription.self, from: try JSONEncoder().encode(description))
                let (client, verifier) = (try appStore(at: printed), try signedDataVerifier(trusting: printed))
                let book = try await store.bought(.book).transactionId
                #expect(try await purchasedProducts(of: book, from: client, by: verifier) == [.book])
            }
        }
    }

    @Test func `the products of a customer are those that are not revoked`() async throws {
        try await StoreHarness.listen { store in
            let (book, credits) = (try await store.bought(.book).transactionId, try await store.bought(.credits).transactionId)
            try await store.refund(credits)
            #expect(try await purchasedProducts(of: book, from: store.serverAPI(), by: store.verifier) == [.book])
            #expect(try appStore(privateKey: store.store.apiKey.privateKeyPEM).configuration.environment == .sandbox)
        }
    }

    @Test func `an explanation says what to do next`() {
        #expect(explain(.api(ServerAPIErrorResponse(status: 404, code: 4_040_010))).hasPrefix("The transaction is not"))
        #expect(explain(.unauthorized(clockSkew: 90)) == "Correct the clock of this machine by -90 seconds.")
        #expect(explain(.rateLimited(until: .testStart)) == "Try again after 2025-01-31T12:34:56Z.")
        #expect(explain(.unavailable(.noResponse)) == "Try again later.")
        #expect(explain(.canceled) == "The call was canceled.")
    }
}
