public import PurchaseModel

extension Purchases {
    /// Returns the products that can be restored, from the device and the server, without a sign-in or a delivery.
    ///
    /// An empty result can also mean that a source could not be reached; see ``PurchasesState/problems``.
    public func restorable() async -> [RestorableProduct] {
        await prepareVault()
        let offer = await restoreSession.offer(unreachable: [])
        await refresh()
        return offer.products
    }

    /// Restores purchases in response to a person's gesture, such as a tap on a button, because the App Store may ask for a sign-in.
    ///
    /// A call while a restore is running joins that restore, and has the same outcome.
    ///
    /// After ``PurchasesConfiguration/restoreDeadline`` the restore continues without the App Store.
    ///
    /// - Parameter choose: Returns the products that the person chose, before anything is delivered; other products stay unchanged. The
    ///   closure is not called if nothing can be restored, nor by a call that joins a running restore.
    public func restore(choose: @escaping @MainActor @Sendable ([RestorableProduct]) async -> Set<ProductID>) async -> RestoreOutcome {
        let session = restoreSession
        return await restoreOnce { await session.run(choose) }
    }

    /// Runs a restore with StoreKit 1 or StoreKit 2, or joins the running restore.
    func restoreOnce(_ run: @escaping @Sendable () async -> RestoreOutcome) async -> RestoreOutcome {
        if let runningRestore { return await runningRestore.value }
        change { $0.isRestoring = true }
        let task = Task {
            await prepareVault()
            return await run()
        }
        runningRestore = task
        let outcome = await task.value
        runningRestore = nil
        await refresh()
        change { $0.isRestoring = false }
        return outcome
    }

    /// A restore with the vault, the parts and the clocks of this object.
    var restoreSession: RestoreSession {
        RestoreSession(
            vault: configuration.vault, reader: parts.reader, engine: parts.engine, ledger: parts.ledger, restored: parts.restored,
            book: book, clock: clock, sources: configuration.server == nil ? [.store] : [.store, .server],
            deadline: configuration.restoreDeadline, timer: configuration.clock,
            storeAnswered: { [weak self] in await self?.markChecked() })
    }
}
