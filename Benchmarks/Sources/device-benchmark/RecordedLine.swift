import OpenStoreKit
import PurchaseModel
import WireClient

/// Answers what a store has answered before, so that only the device is measured.
struct RecordedLine: StoreTransport {
    let signIn: SignInReply
    var restores: [RestoreReply] = []
    var history: [PurchasesReply] = []

    func call<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ body: Request, token: String?
    ) async throws(WireClientError) -> Response {
        let answer: (any Sendable)? =
            switch body {
            case is SignInRequest: signIn
            case let request as RestoreRequest: restore(request)
            case is UnfinishedRequest: UnfinishedReply(transactions: [], declined: [])
            case is FinishRequest: Empty()
            case let request as PurchasesRequest: purchases(request)
            default: nil
            }
        guard let answer = answer as? Response else {
            throw .refused(status: 404, WireError(code: "benchmark", message: "Not recorded."))
        }
        return answer
    }

    private func restore(_ request: RestoreRequest) -> RestoreReply? {
        guard let after = request.after else { return restores.first }
        return Self.following(restores) { $0.next == after }
    }

    /// What follows the request's cursor; nothing new after the last page.
    private func purchases(_ request: PurchasesRequest) -> PurchasesReply {
        let next = request.after.map { after in Self.following(history) { $0.cursor == after } } ?? history.first
        return next ?? PurchasesReply(transactions: [], statuses: [], cursor: request.after ?? "0", hasMore: false)
    }

    private static func following<Page>(_ pages: [Page], _ isBefore: (Page) -> Bool) -> Page? {
        pages.firstIndex(where: isBefore).map { pages.dropFirst($0 + 1).first } ?? nil
    }
}
