package import Hummingbird
import NIOCore
import Synchronization

/// Limits the memory for the bodies of all requests that a server handles at the same time.
final class BodyBudget: Sendable {
    /// The share of the budget that belongs to the request of the current task; nil outside of ``BodyBudgetMiddleware``.
    @TaskLocal static var share: BodyShare?

    private let limit: Int
    private let reserved = Mutex(0)
    private let onExhaustion: @Sendable () -> Void

    init(_ limit: Int, onExhaustion: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.onExhaustion = onExhaustion
    }

    /// Reserves a number of bytes, or reserves nothing and returns false when the budget is exhausted.
    func reserve(_ bytes: Int) -> Bool {
        let isReserved = reserved.withLock { reserved in
            guard bytes <= limit - reserved else { return false }
            reserved += bytes
            return true
        }
        if !isReserved { onExhaustion() }
        return isReserved
    }

    func release(_ bytes: Int) {
        reserved.withLock { $0 -= bytes }
    }
}

/// The bytes that one request has reserved of a ``BodyBudget``, and its body, until the request ends.
final class BodyShare: Sendable {
    private struct State {
        var reserved = 0
        var body: ByteBuffer?
    }

    private let budget: BodyBudget
    private let state = Mutex(State())

    init(of budget: BodyBudget) {
        self.budget = budget
    }

    deinit {
        releaseAll()
    }

    /// Reserves a number of bytes, or reserves nothing and returns false when the budget is exhausted.
    func reserve(_ bytes: Int) -> Bool {
        guard budget.reserve(bytes) else { return false }
        state.withLock { $0.reserved += bytes }
        return true
    }

    /// The whole body of the request, which is reserved once; nil before the body was read.
    var body: ByteBuffer? {
        get { state.withLock { $0.body } }
        set { state.withLock { $0.body = newValue } }
    }

    /// Releases all bytes that the request has reserved.
    func releaseAll() {
        budget.release(
            state.withLock { state in
                defer { state = State() }
                return state.reserved
            })
    }
}

/// Gives each request a share of the server's memory for request bodies.
package struct BodyBudgetMiddleware<Context: RequestContext>: RouterMiddleware {
    let budget: BodyBudget

    /// Middleware for requests of the same process, whose bodies are in memory already.
    ///
    /// The share of such a request replaces the share of the request whose handler sends it.
    package static var unlimited: Self { Self(budget: BodyBudget(.max)) }

    /// Passes a request to the next handler with its own share of the budget, and releases the share afterwards.
    package func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let share = BodyShare(of: budget)
        // The end of the request releases the share explicitly, because a task that outlives the request may keep a reference to the share.
        defer { share.releaseAll() }
        return try await BodyBudget.$share.withValue(share) { try await next(request, context) }
    }
}
