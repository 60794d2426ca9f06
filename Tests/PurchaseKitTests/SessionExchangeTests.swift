import Foundation
import Testing

@testable import PurchaseKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The exchange of a session, whose bytes wait for their reader.
@Suite struct SessionExchangeTests {
    @Test func `bytes that arrived before a connection broke are read before its error`() async throws {
        let exchange = SessionExchange(URLSession.shared.dataTask(with: URLRequest(url: URL(filePath: "/"))))
        exchange.receive(Data("a".utf8))
        exchange.receive(Data("b".utf8))
        exchange.end(URLError(.networkConnectionLost))
        exchange.receive(Data("c".utf8))
        #expect(try await exchange.next() == Data("ab".utf8))
        await #expect(throws: URLError.self) { try await exchange.next() }
    }

    @Test func `a complete body ends`() async throws {
        let exchange = SessionExchange(URLSession.shared.dataTask(with: URLRequest(url: URL(filePath: "/"))))
        exchange.receive(Data("a".utf8))
        exchange.end(nil)
        #expect(try await exchange.next() == Data("a".utf8))
        #expect(try await exchange.next() == nil)
        #expect(try await exchange.next() == nil)
    }

    @Test func `a canceled exchange has no bytes`() async throws {
        let exchange = SessionExchange(URLSession.shared.dataTask(with: URLRequest(url: URL(filePath: "/"))))
        exchange.receive(Data("a".utf8))
        exchange.cancel()
        await #expect(throws: CancellationError.self) { try await exchange.next() }
        await #expect(throws: CancellationError.self) { try await exchange.start() }
    }
}
