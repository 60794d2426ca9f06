import OpenStoreKit

/// An interface whose confirmation sheet is never answered.
struct UnresponsiveUser: StoreInterface {
    private let shown: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) = AsyncStream.makeStream()

    /// Waits until the confirmation sheet is shown.
    func waitForSheet() async {
        for await _ in shown.stream { return }
    }

    func signIn() async -> Credentials? { nil }

    func confirm(_ sheet: ConfirmationSheet) async -> Bool {
        shown.continuation.yield()
        // The wait ends only when the task is canceled.
        let (never, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        return true
    }
}
