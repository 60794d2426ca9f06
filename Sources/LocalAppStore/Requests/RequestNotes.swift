import NIOCore
import PurchaseModel
import Synchronization

/// What a request's processing knows for the log of requests, beyond the response.
final class RequestNotes: Sendable {
    /// The notes of the request that the current task processes; nil for work that no request has caused.
    @TaskLocal static var current: RequestNotes?

    private struct State {
        var reason: String?
        var account: AccountID?
        var body: ByteBuffer?
    }

    private let state = Mutex(State())

    /// Why the request is refused, in more words than the response; nil if nothing was noted.
    var reason: String? {
        get { state.withLock { $0.reason } }
        set { state.withLock { $0.reason = newValue } }
    }

    /// The account of the device that sent the request; nil if unknown.
    var account: AccountID? {
        get { state.withLock { $0.account } }
        set { state.withLock { $0.account = newValue } }
    }

    /// The request's body; nil if it has none, or one that is too large for the log.
    var body: ByteBuffer? {
        get { state.withLock { $0.body } }
        set { state.withLock { $0.body = newValue } }
    }
}
