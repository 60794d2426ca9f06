import Foundation
import PurchaseModel
import StoreKit

/// Performs a request of StoreKit 1 as an asynchronous call.
final class ClassicRequest: NSObject, SKProductsRequestDelegate, Sendable {
    /// How a request ended.
    enum Ending: Sendable {
        /// The request has succeeded; the response is nil for a request other than for products.
        case finished(SKProductsResponse?)
        /// The request failed; nil for a cancellation.
        case failed(PurchaseFailure?)
    }

    private let endings: AsyncStream<Ending>
    private let continuation: AsyncStream<Ending>.Continuation

    private override init() {
        (endings, continuation) = AsyncStream.makeStream(of: Ending.self)
    }

    /// Runs a request; after the time limit, it fails as if the store were unreachable.
    ///
    /// - Parameter create: Creates the request, and sets the delegate.
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
