extension Purchases {
    /// A restore with the parts of the app's purchases.
    var restoreSession: RestoreSession {
        RestoreSession(
            vault: configuration.vault, reader: parts.reader, engine: parts.engine, ledger: parts.ledger, restored: parts.restored,
            book: book, clock: clock, sources: configuration.server == nil ? [.store] : [.store, .server],
            deadline: configuration.restoreDeadline, timer: configuration.clock,
            storeAnswered: { [weak self] in await self?.markChecked() })
    }
}
