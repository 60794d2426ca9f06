import PurchaseModel

/// Runs downloads of content, a limited number at the same time.
///
/// Waiting downloads start in the order of their requests; ``prioritize(_:)`` moves a download to the front.
actor DownloadQueue {
    enum Ending: Sendable {
        case installed(InstalledContent)
        case failed(DeliveryError)
        case stopped(Stop)
    }

    /// A person's action that stops a download.
    enum Stop: Sendable {
        case paused
        case canceled
    }

    private struct Waiter {
        let id: Int
        let product: ProductID
        let continuation: CheckedContinuation<Ending?, Never>
    }

    private let limit: Int
    private var active = 0
    private var waiters: [Waiter] = []
    private var nextID = 0
    private var running: [ProductID: Task<Result<InstalledContent, DeliveryError>, Never>] = [:]
    private var stops: [ProductID: Stop] = [:]

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Runs a download as soon as the limit permits.
    ///
    /// - Parameters:
    ///   - isLimited: Whether the download counts toward the limit.
    ///   - body: Downloads the content; its task is canceled by ``stop(_:_:)``, and by the cancellation of the caller.
    func run(
        _ product: ProductID, isLimited: Bool, _ body: @escaping @Sendable () async -> Result<InstalledContent, DeliveryError>
    ) async -> Ending {
        if isLimited, let ending = await enter(product) { return ending }
        let task = Task { await body() }
        running[product] = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        running[product] = nil
        if isLimited { leave() }
        let stop = stops.removeValue(forKey: product)
        switch result {
        case .success(let content): return .installed(content)
        case .failure(let error): return stop.map { .stopped($0) } ?? .failed(error)
        }
    }

    /// Stops a product's running or waiting download; the received bytes are kept.
    func stop(_ product: ProductID, _ stop: Stop) {
        if let task = running[product] {
            stops[product] = stop
            task.cancel()
        }
        for waiter in waiters where waiter.product == product { waiter.continuation.resume(returning: .stopped(stop)) }
        waiters.removeAll { $0.product == product }
    }

    /// Moves a waiting download to the front of the queue.
    func prioritize(_ product: ProductID) {
        let (first, others) = (waiters.filter { $0.product == product }, waiters.filter { $0.product != product })
        waiters = first + others
    }

    /// Returns whether a download runs or waits; for tests.
    func contains(_ product: ProductID) -> Bool {
        running[product] != nil || waiters.contains { $0.product == product }
    }

    /// The ending of a waiting download whose caller was canceled.
    private static let abandoned = Ending.failed(.later(VaultError.sessionEnded.description))

    /// Waits until the download may start, and returns nil; returns the ending if the download was stopped first.
    private func enter(_ product: ProductID) async -> Ending? {
        guard active >= limit else {
            active += 1
            return nil
        }
        nextID += 1
        let id = nextID
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: Self.abandoned) }
                waiters.append(Waiter(id: id, product: product, continuation: continuation))
            }
        } onCancel: {
            Task { await abandon(id) }
        }
    }

    private func abandon(_ id: Int) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(returning: Self.abandoned)
    }

    /// Starts the next waiting download, or reduces the number of running downloads.
    private func leave() {
        guard waiters.isEmpty else { return waiters.removeFirst().continuation.resume(returning: nil) }
        active -= 1
    }
}
