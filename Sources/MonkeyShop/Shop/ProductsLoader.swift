import Foundation
import StoreKit
import Synchronization

/// One request for prices, as an async call.
final class ProductsLoader: NSObject, SKProductsRequestDelegate, Sendable {
    private let continuation = Mutex<CheckedContinuation<SKProductsResponse, any Error>?>(nil)

    /// Asks the current device's store.
    static func load(_ identifiers: Set<String>) async throws -> SKProductsResponse {
        let loader = ProductsLoader()
        let request = SKProductsRequest(productIdentifiers: identifiers)
        // Both are kept until the answer is there: the request refers to its delegate weakly.
        defer { withExtendedLifetime((request, loader)) {} }
        return try await withCheckedThrowingContinuation { continuation in
            loader.continuation.withLock { $0 = continuation }
            request.delegate = loader
            request.start()
        }
    }

    private func take() -> CheckedContinuation<SKProductsResponse, any Error>? {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        take()?.resume(returning: response)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        take()?.resume(throwing: error)
    }
}
