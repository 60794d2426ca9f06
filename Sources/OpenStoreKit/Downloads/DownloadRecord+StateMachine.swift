import PurchaseModel

/// The state machine of a download, which accepts events and returns effects.
extension DownloadRecord {
    /// An event that changes a download.
    enum Event: Hashable, Sendable {
        /// The app starts the download.
        case start
        /// The app pauses the download.
        case pause
        /// The app resumes the download.
        case resume
        /// The app cancels the download, or finishes its transaction.
        case cancel
        /// The store responds with the bytes from this offset, whose version the entity tag identifies.
        case began(offset: Int64, entityTag: String?)
        /// The number of received bytes has changed to this value.
        case received(Int64)
        /// The connection was lost, or the store can't be reached.
        case lost
        /// The content is complete, in the folder with this path.
        case completed(String)
        /// The content can't be downloaded, for this reason.
        case refused(PaymentFailure)
    }

    /// An effect that the state machine requests.
    enum Effect: Hashable, Sendable {
        /// Fetch the missing bytes from the store.
        case fetch
        /// Stop fetching.
        case stop
        /// Delete the received bytes.
        case discard
    }

    /// Changes the download for an event, and returns the effects to carry out; an event that does not fit the state changes nothing.
    mutating func handle(_ event: Event) -> [Effect] {
        switch (event, state) {
        case (.start, .waiting) where !isStarted, (.start, .paused), (.resume, .paused), (.start, .failed):
            state = .waiting
            isStarted = true
            failure = nil
            return [.fetch]
        case (.pause, .waiting), (.pause, .active):
            state = .paused
            isStarted = false
            return [.stop]
        case (.cancel, .waiting), (.cancel, .active), (.cancel, .paused), (.cancel, .failed):
            state = .cancelled
            isStarted = false
            received = 0
            return [.stop, .discard]
        case (.began(let offset, let entityTag), .waiting) where isStarted:
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
        case (.completed(let contentPath), .active):
            state = .finished
            isStarted = false
            received = content.length
            self.contentPath = contentPath
            return []
        case (.refused(let failure), .waiting) where isStarted, (.refused(let failure), .active):
            state = .failed
            isStarted = false
            received = 0
            self.failure = failure
            return [.discard]
        case (.start, _), (.resume, _), (.pause, _), (.cancel, _), (.began, _), (.received, _), (.lost, _), (.completed, _), (.refused, _):
            return []
        }
    }
}
