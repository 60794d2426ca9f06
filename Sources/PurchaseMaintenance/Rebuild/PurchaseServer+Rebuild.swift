public import PurchaseModel
public import PurchaseServer
import PurchaseStorage
import ServerProtocol

extension PurchaseServer {
    /// Compares an app's records with its signed originals and recorded decisions, and repairs the differences if `isWriting` is true.
    ///
    /// A run stores its progress, so the next run of the same kind continues a canceled or killed run. The server can serve requests during
    /// a rebuild.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - isWriting: Whether differences are repaired; a signed original is never changed.
    ///   - restarting: Whether the progress of an interrupted run is ignored.
    ///   - report: Receives the progress and each difference.
    /// - Returns: The report; nil for an app that is not configured.
    /// - Throws: ``RebuildError`` or `StorageError`.
    public func rebuild(
        _ app: BundleID, isWriting: Bool, restarting: Bool = false, report: @escaping @Sendable (RebuildEvent) -> Void
    ) async throws -> RebuildReport? {
        guard let services = apps[app] else { return nil }
        let run = RebuildRun(
            app: app, storage: try storage.tables, verifier: OriginalVerifier(app, of: configuration),
            recorder: services.purchases.recorder, clock: clock, isWriting: isWriting, report: report)
        let result = try await run.run(restarting: restarting)
        // A repair changes the tables without the services of the server, so compare the customers with their events afterwards, also those
        // of an interrupted run.
        if isWriting { try await services.feed.comparison.compareAll(.rebuild) }
        return result
    }
}

extension PurchaseStorage {
    /// The storage, with access to the tables.
    ///
    /// - Throws: ``RebuildError/unsupportedStorage`` for a storage of another package.
    var tables: any SQLPurchaseStorage {
        get throws {
            guard let tables = maintenance?.tables else { throw RebuildError.unsupportedStorage }
            return tables
        }
    }
}
