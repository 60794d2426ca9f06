package import Hummingbird
import Synchronization

/// The limit for the bytes of all requests' bodies that are in memory at a time.
final class BodyBudget: Sendable {
    /// The current request's share of the budget; nil outside a budget.
    @TaskLocal static var share: BodyShare?

    private let limit: Int
    private let reserved = Mutex(0)

    init(_ limit: Int) {
        self.limit = limit
    }

    /// Reserves bytes; false if the budget is exhausted.
    func reserve(_ bytes: Int) -> Bool {
        reserved.withLock { reserved in
            guard bytes <= limit - reserved else { return false }
            reserved += bytes
            return true
        }
    }

    func release(_ bytes: Int) {
        reserved.withLock { $0 -= bytes }
    }
}

/// One request's share of a budget, until the request ends.
final class BodyShare: Sendable {
    private let budget: BodyBudget
    private let reserved = Mutex(0)

    init(of budget: BodyBudget) {
        self.budget = budget
    }

    deinit {
        releaseAll()
    }

    /// Reserves bytes; false if the budget is exhausted.
    func reserve(_ bytes: Int) -> Bool {
        guard budget.reserve(bytes) else { return false }
        reserved.withLock { $0 += bytes }
        return true
    }

    /// Releases all bytes of the request.
    func releaseAll() {
        budget.release(
            reserved.withLock { reserved in
                defer { reserved = 0 }
                return reserved
            })
    }
}

/// Counts the memory of a request's body while the request is handled.
package struct BodyBudgetMiddleware<Context: RequestContext>: RouterMiddleware {
    let budget: BodyBudget

    /// Handles a request with a share of the budget.
    package func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let share = BodyShare(of: budget)
        // A task that outlives the request may keep a reference to the share.
        defer { share.releaseAll() }
        return try await BodyBudget.$share.withValue(share) { try await next(request, context) }
    }
}
