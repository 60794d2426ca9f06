import Foundation
import StoreKit
import Synchronization

/// Performs an `SKProductsRequest` as an asynchronous call.
final class ProductsLoader: NSObject, SKProductsRequestDelegate, Sendable {
    private let continuation = Mutex<CheckedContinuation<SKProductsResponse, any Error>?>(nil)

    /// Requests products from the store of the current device, and returns the response.
    static func load(_ identifiers: Set<String>) async throws -> SKProductsResponse {
        let loader = ProductsLoader()
        let request = SKProductsRequest(productIdentifiers: identifiers)
        // Request and loader are kept alive until the response, because the request holds its delegate weakly.
        defer { withExtendedLifetime((request, loader)) {} }
        return try await withCheckedThrowingContinuation { continuation in
            loader.continuation.withLock { $0 = continuation }
            request.delegate = loader
            request.start()
        }
    }

    private func removeContinuation() -> CheckedContinuation<SKProductsResponse, any Error>? {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        removeContinuation()?.resume(returning: response)
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        removeContinuation()?.resume(throwing: error)
    }
}
