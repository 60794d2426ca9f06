import PurchaseModel
import WireClient

extension StoreSession {
    /// Requests hosted content as the account of the transaction; the reply contains the stream of its bytes.
    ///
    /// - Throws: `WireClientError.unreachable` also if the account is not signed in, because a download never asks for a sign-in.
    func content(_ request: ContentRequest, as account: AccountID?) async throws(WireClientError) -> ContentReply {
        guard !state.settings.airplaneMode, let session = state.session, account == nil || session.account == account else {
            throw .unreachable
        }
        do {
            return try await transport.content(request, token: session.token)
        } catch .refused(401, _) {
            // The store session has expired; a download never asks for a sign-in.
            throw .unreachable
        }
    }
}
