import Foundation
import PurchaseModel
import StoreKit

/// Performs a request of StoreKit 1 as an asynchronous call.
final class ClassicRequest: NSObject, SKProductsRequestDelegate, Sendable {
    enum Ending: Sendable {
        /// The request succeeded; the response is nil unless products were requested.
        case finished(SKProductsResponse?)
        /// The request failed; the failure is nil for a cancellation.
        case failed(PurchaseFailure?)
    }

    private let endings: AsyncStream<Ending>
    private let continuation: AsyncStream<Ending>.Continuation

    private override init() {
        (endings, continuation) = AsyncStream.makeStream(of: Ending.self)
    }

    /// Runs a request; after the time limit, the outcome is a failure of the kind `network`.
    ///
    /// - Parameter create: Creates the request, with the given ``ClassicRequest`` as the delegate.
    static func run(
        within limit: Duration, on clock: any Clock<Duration>, _ create: @escaping @Sendable (ClassicRequest) -> SKRequest
    ) async -> Ending {
        await firstOutcome(within: limit, on: clock) {
            let delegate = ClassicRequest()
            let request = create(delegate)
            request.start()
            let ending = await delegate.endings.first { _ in true }
            if ending == nil { request.cancel() }
            return ending ?? .failed(PurchaseFailure(.network))
        } ?? .failed(PurchaseFailure(.network))
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        continuation.yield(.finished(response))
    }

    func requestDidFinish(_ request: SKRequest) {
        continuation.yield(.finished(nil))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        continuation.yield(.failed(PurchaseFailure(storeKit1: error)))
    }
}
