import Foundation
import StoreKit
import Synchronization

@testable import OpenStoreKit

/// A delegate that records the callbacks of one request.
final class RequestDelegate: NSObject, SKProductsRequestDelegate, Sendable {
    /// The outcome of a request.
    struct Answer: Sendable {
        var products: [String] = []
        var invalid: [String] = []
        var error: NSError?
        var calls: [String] = []
    }

    private struct State {
        var answer = Answer()
        var waiter: CheckedContinuation<Answer, Never>?
    }

    private let state = Mutex(State())

    /// Requests products and waits for the outcome.
    static func products(_ identifiers: Set<String>, on device: Device) async -> Answer {
        await run(Device.$current.withValue(device) { SKProductsRequest(productIdentifiers: identifiers) })
    }

    /// Refreshes the receipt and waits for the outcome.
    static func refresh(_ properties: [String: Bool]? = nil, on device: Device) async -> Answer {
        await run(Device.$current.withValue(device) { SKReceiptRefreshRequest(receiptProperties: properties) })
    }

    private static func run(_ request: SKRequest) async -> Answer {
        let delegate = RequestDelegate()
        request.delegate = delegate
        defer { withExtendedLifetime((request, delegate)) {} }
        return await withCheckedContinuation { continuation in
            delegate.state.withLock { $0.waiter = continuation }
            request.start()
        }
    }

    /// The callbacks and values so far.
    var answer: Answer { state.withLock { $0.answer } }

    private func end(_ call: String, _ change: (inout Answer) -> Void = { _ in }) {
        let (waiter, answer) = state.withLock { state in
            state.answer.calls.append(call)
            change(&state.answer)
            defer { state.waiter = nil }
            return (state.waiter, state.answer)
        }
        waiter?.resume(returning: answer)
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        let products = response.products.map(\.productIdentifier).sorted()
        let invalid = response.invalidProductIdentifiers.sorted()
        state.withLock { state in
            state.answer.calls.append("received")
            state.answer.products = products
            state.answer.invalid = invalid
        }
    }

    func requestDidFinish(_ request: SKRequest) {
        end("finished")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        let error = error as NSError
        end("failed") { $0.error = error }
    }
}
