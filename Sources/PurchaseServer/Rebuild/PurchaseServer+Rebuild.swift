public import PurchaseModel

extension PurchaseServer {
    /// Compares the records of an app with what follows from its signed originals and its recorded decisions, and repairs them if required.
    ///
    /// A run stores its progress, so a run that is canceled or killed is continued by the next one of the same kind. The server can serve
    /// meanwhile.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - isWriting: Whether differences are repaired; a signed original is never changed.
    ///   - restarting: Whether the progress of an interrupted run is ignored.
    ///   - report: Receives the progress and each difference.
    /// - Returns: The report; nil for an app that is not configured.
    /// - Throws: ``RebuildError`` or ``StorageError``.
    public func rebuild(
        _ app: BundleID, isWriting: Bool, restarting: Bool = false, report: @escaping @Sendable (RebuildEvent) -> Void
    ) async throws -> RebuildReport? {
        guard let services = apps[app] else { return nil }
        let run = RebuildRun(
            app: app, storage: storage, verifier: OriginalVerifier(app, of: configuration), recorder: services.recorder, clock: clock,
            isWriting: isWriting, report: report)
        return try await run.run(restarting: restarting)
    }
}
