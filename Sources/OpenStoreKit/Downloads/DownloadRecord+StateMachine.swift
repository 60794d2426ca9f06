import PurchaseModel

/// What becomes of a download: it takes what happened and answers with what to do.
extension DownloadRecord {
    /// What happened.
    enum Event: Hashable, Sendable {
        /// The app starts it.
        case start
        /// The app lets it rest.
        case pause
        /// The app goes on with it.
        case resume
        /// The app ends it, or finishes its transaction.
        case cancel
        /// The store answers with bytes from this one on, which have this name.
        case began(offset: Int64, entityTag: String?)
        /// So many bytes are there now.
        case received(Int64)
        /// The connection was lost, or there is none.
        case lost
        /// All is there, in this folder.
        case completed(String)
        /// It can't be had.
        case refused(PaymentFailure)
    }

    /// What to do.
    enum Effect: Hashable, Sendable {
        /// Ask the store for what is missing.
        case fetch
        /// Stop fetching.
        case stop
        /// Throw away what is there.
        case discard
    }

    /// Takes an event; one that does not fit changes nothing.
    mutating func handle(_ event: Event) -> [Effect] {
        switch (event, state) {
        case (.start, .waiting) where !isWanted, (.start, .paused), (.resume, .paused), (.start, .failed):
            state = .waiting
            isWanted = true
            failure = nil
            return [.fetch]
        case (.pause, .waiting), (.pause, .active):
            state = .paused
            isWanted = false
            return [.stop]
        case (.cancel, .waiting), (.cancel, .active), (.cancel, .paused), (.cancel, .failed):
            state = .cancelled
            isWanted = false
            received = 0
            return [.stop, .discard]
        case (.began(let offset, let entityTag), .waiting) where isWanted:
            state = .active
            received = offset
            self.entityTag = entityTag
            return []
        case (.received(let count), .active):
            received = count
            return []
        case (.lost, .active):
            state = .waiting
            return []
        case (.completed(let place), .active):
            state = .finished
            isWanted = false
            received = content.length
            self.place = place
            return []
        case (.refused(let failure), .waiting) where isWanted, (.refused(let failure), .active):
            state = .failed
            isWanted = false
            received = 0
            self.failure = failure
            return [.discard]
        case (.start, _), (.resume, _), (.pause, _), (.cancel, _), (.began, _), (.received, _), (.lost, _), (.completed, _), (.refused, _):
            return []
        }
    }
}
