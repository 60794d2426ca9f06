import AppStoreServerAPI
import Foundation
import LocalAppStore
import PurchaseModel
import PurchaseProof
import PurchaseTestSupport
import StoreTestSupport
import Testing

/// The examples in the documentation of `AppStoreServerAPIClient`.
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
