public import Hummingbird
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
    func take(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard bytes <= limit - held else { return false }
            held += bytes
            return true
        }
    }

    func giveBack(_ bytes: Int) {
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
        budget.giveBack(held.withLock { $0 })
    }

    /// Holds more; false when there is no room.
    func take(_ bytes: Int) -> Bool {
        guard budget.take(bytes) else { return false }
        held.withLock { $0 += bytes }
        return true
    }
}

/// Counts what a request's body takes in memory while the request is handled.
public struct BodyBudgetMiddleware<Context: RequestContext>: RouterMiddleware {
    let budget: BodyBudget

    /// Handles a request with a share of the budget.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await BodyBudget.$share.withValue(BodyShare(of: budget)) { try await next(request, context) }
    }
}
