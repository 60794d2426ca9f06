import OpenStoreKit
import PurchaseModel
import WireClient

/// Answers what a store has answered before, so that only the device is measured.
struct RecordedLine: StoreTransport {
    let pages: [RestoreReply]
    let signIn: SignInReply

    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, token: String?
    ) async throws(WireClientError) -> Response {
        let answer: (any Sendable)? =
            switch body {
            case is SignInRequest: signIn
            case let request as RestoreRequest: page(request)
            case is UnfinishedRequest: UnfinishedReply(transactions: [], declined: [])
            case is FinishRequest: Empty()
            case is PurchasesRequest: PurchasesReply(transactions: [], statuses: [], cursor: "0", hasMore: false)
            default: nil
            }
        guard let answer = answer as? Response else {
            throw .refused(status: 404, WireError(code: "benchmark", message: "Not recorded."))
        }
        return answer
    }

    private func page(_ request: RestoreRequest) -> RestoreReply {
        let before = pages.firstIndex { $0.next != nil && $0.next == request.after }
        return pages[before.map { $0 + 1 } ?? 0]
    }
}
