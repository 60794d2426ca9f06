import PurchaseModel
import WireClient

extension StoreSession {
    /// Begins to fetch content as the account whose transaction it is.
    func content(_ request: ContentRequest, as account: AccountID?) async throws(WireClientError) -> ContentReply {
        guard !state.settings.airplaneMode, let session = state.session, account == nil || session.account == account else {
            throw .unreachable
        }
        do {
            return try await transport.content(request, token: session.token)
        } catch .refused(401, _) {
            // The session has ended; nobody is asked to sign in for this.
            throw .unreachable
        }
    }
}
