import OpenStoreKit

/// A user who looks at a sheet and never answers.
struct PatientUser: StoreInterface {
    private let asked: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation) = AsyncStream.makeStream()

    /// Waits until a sheet is shown.
    func untilAsked() async {
        for await _ in asked.stream { return }
    }

    func signIn() async -> Credentials? { nil }

    func confirm(_ sheet: ConfirmationSheet) async -> Bool {
        asked.continuation.yield()
        // Ends only with the task.
        let (never, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        return true
    }
}
