import Foundation
import PurchaseModel
import Wire

/// A request for the content that a store hosts for a transaction.
struct ContentRequest: Hashable, Sendable {
    /// The transaction whose content is requested.
    var transaction: TransactionID
    /// The offset in the content of the first requested byte.
    var offset: Int64
    /// The entity tag of the bytes received so far; nil to request all bytes.
    var entityTag: String?
}

/// A store's response to a request for hosted content.
struct ContentReply: Sendable {
    /// The offset of the first byte of ``bytes`` in the content; 0 if the store sends the content from the start.
    var offset: Int64
    /// The length of the whole content in bytes; nil if the store does not state the length.
    var length: Int64?
    /// The entity tag that identifies this version of the content; nil if the store sends none.
    var entityTag: String?
    /// The bytes of the content, in chunks as they are received.
    var bytes: any AsyncSequence<Data, any Error> & Sendable
}

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
