import PurchaseModel
import Synchronization

/// A request to the payment engine from the app, the device or a test session, which needs no response.
///
/// Requests are stored indirectly, which keeps the inbox's memory for a command small.
enum PaymentCommand: Sendable {
    case launch
    indirect case add(PaymentRequest)
    case finish([PaymentID])
    case restore(ApplicationUser?)
    indirect case call(PaymentRequest, CheckedContinuation<PurchaseCallResult, Never>)
    /// Fetch changes from the store, as when the app comes to the foreground.
    case retry
    /// Fetch changes that the store has announced, without resetting the delay between failed attempts.
    case fetchChanges
    case listen(AsyncStream<SignedTransaction>.Continuation)
    /// The app has handled a message or a promoted in-app purchase.
    case acknowledge(DeliveryID)
    /// A test session has signed an account in.
    case ownerChanged
    /// The store has refused the session, so that an account must sign in again.
    case sessionEnded
    /// A test session has deleted these transactions from the store.
    case forget([TransactionID])
    /// A request with a response has its turn.
    case turn(CheckedContinuation<Void, Never>)
}

/// The commands that wait for the payment engine, in the order of their submission.
///
/// The number of commands of the app is not limited, because a payment or a finished transaction must not be dropped, and a caller must
/// not wait. The store can't fill the inbox: consecutive announcements of changes are one command.
final class PaymentInbox: Sendable {
    private struct State {
        /// The commands in blocks of limited size, because a growing array moves all of its elements, and a caller would wait for it.
        var blocks: [[PaymentCommand]] = []
        var submitted = 0
        var isClosed = false

        mutating func append(_ command: PaymentCommand) {
            if let last = blocks.indices.last, blocks[last].count < PaymentInbox.blockSize {
                blocks[last].append(command)
            } else {
                blocks.append([command])
            }
        }
    }

    private static let blockSize = 256

    private let state = Mutex(State())
    private let signal: AsyncStream<Void>.Continuation
    /// Has an element when commands wait, and ends when the inbox is closed.
    let signals: AsyncStream<Void>

    init() {
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of commands that were submitted so far.
    var submitted: Int { state.withLock { $0.submitted } }

    /// Adds a command and returns at once; a closed inbox ignores the command.
    ///
    /// - Returns: Whether the engine will carry out the command.
    @discardableResult
    func submit(_ command: PaymentCommand) -> Bool {
        let isAccepted = state.withLock { state in
            guard !state.isClosed else { return false }
            // Any number of announced changes needs one fetch.
            if case .fetchChanges = command, case .fetchChanges = state.blocks.last?.last { return true }
            state.append(command)
            if !command.isTurn { state.submitted += 1 }
            return true
        }
        if isAccepted { signal.yield() }
        return isAccepted
    }

    /// Removes and returns all waiting commands, in blocks.
    func takeAll() -> [[PaymentCommand]] {
        state.withLock { state in
            defer { state.blocks = [] }
            return state.blocks
        }
    }

    /// Waits until all commands submitted earlier are carried out; returns at once if the inbox is closed.
    func turn() async {
        await withCheckedContinuation { continuation in
            if !submit(.turn(continuation)) { continuation.resume() }
        }
    }

    /// Accepts no more commands; the engine still carries out those submitted earlier.
    func close() {
        state.withLock { $0.isClosed = true }
        signal.finish()
    }
}

extension PaymentCommand {
    /// Whether the command is the turn of a request, which changes nothing by itself.
    fileprivate var isTurn: Bool {
        if case .turn = self { true } else { false }
    }
}
