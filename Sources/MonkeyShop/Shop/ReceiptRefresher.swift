import Foundation
import StoreKit
import Synchronization

/// One refresh of the receipt, as an async call.
final class ReceiptRefresher: NSObject, SKRequestDelegate, Sendable {
    private let continuation = Mutex<CheckedContinuation<Void, any Error>?>(nil)

    /// Asks the current device's store.
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

    private func take() -> CheckedContinuation<Void, any Error>? {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
    }

    func requestDidFinish(_ request: SKRequest) {
        take()?.resume()
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        take()?.resume(throwing: error)
    }
}
