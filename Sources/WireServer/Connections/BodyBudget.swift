package import Hummingbird
import Synchronization

/// How many bytes of bodies are in memory at a time, of all requests together.
final class BodyBudget: Sendable {
    /// What the request at hand holds of a budget; nil where nobody counts.
    @TaskLocal static var share: BodyShare?

    private let limit: Int
    private let held = Mutex(0)

    init(_ limit: Int) {
        self.limit = limit
    }

    /// Holds more; false when there is no room.
    func reserve(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard bytes <= limit - held else { return false }
            held += bytes
            return true
        }
    }

    func release(_ bytes: Int) {
        held.withLock { $0 -= bytes }
    }
}

/// What one request holds of a budget, until the request is done.
final class BodyShare: Sendable {
    private let budget: BodyBudget
    private let held = Mutex(0)

    init(of budget: BodyBudget) {
        self.budget = budget
    }

    deinit {
        releaseAll()
    }

    /// Holds more; false when there is no room.
    func reserve(_ bytes: Int) -> Bool {
        guard budget.reserve(bytes) else { return false }
        held.withLock { $0 += bytes }
        return true
    }

    /// Gives back what the request holds.
    func releaseAll() {
        budget.release(
            held.withLock { held in
                defer { held = 0 }
                return held
            })
    }
}

/// Counts what a request's body takes in memory while the request is handled.
package struct BodyBudgetMiddleware<Context: RequestContext>: RouterMiddleware {
    let budget: BodyBudget

    /// Handles a request with a share of the budget.
    package func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let share = BodyShare(of: budget)
        // A task that outlives the request may hold on to the share.
        defer { share.releaseAll() }
        return try await BodyBudget.$share.withValue(share) { try await next(request, context) }
    }
}
