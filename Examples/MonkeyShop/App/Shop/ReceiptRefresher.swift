import Foundation
import StoreKit
import Synchronization

/// Performs an `SKReceiptRefreshRequest` as an asynchronous call.
final class ReceiptRefresher: NSObject, SKRequestDelegate, Sendable {
    private let continuation = Mutex<CheckedContinuation<Void, any Error>?>(nil)

    /// Refreshes the receipt of the current device, and returns when the receipt is stored.
    static func refresh() async throws {
        let refresher = ReceiptRefresher()
        let request = SKReceiptRefreshRequest()
        defer { withExtendedLifetime((request, refresher)) {} }
        try await withCheckedThrowingContinuation { continuation in
            refresher.continuation.withLock { $0 = continuation }
            request.delegate = refresher
            request.start()
        }
    }

    private func removeContinuation() -> CheckedContinuation<Void, any Error>? {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
    }

    func requestDidFinish(_ request: SKRequest) {
        removeContinuation()?.resume()
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        removeContinuation()?.resume(throwing: error)
    }
}
