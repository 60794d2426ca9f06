import PurchaseModel
import StoreProtocol
import Wire

/// Listens to the store's event stream for the account, so that changes are fetched while the app runs.
struct EventWatch: Sendable {
    let session: StoreSession
    let retryPolicy: RetryPolicy
    let clock: any Clock<Duration>
    /// Fetches the changes that the store has announced.
    let fetchChanges: @Sendable () -> Void

    /// Listens while an account is signed in, and reconnects with increasing delays, until the task is canceled.
    ///
    /// The events are not signed, so an event only causes a fetch of signed data.
    ///
    /// The delays are independent of the payment queue's retries. When a stream opens, the engine fetches changes at once.
    func run() async {
        var failures = 0
        while !Task.isCancelled, session.isSignedIn {
            var wasConnected = false
            do {
                guard let events = try await session.events() else { return }
                // Fetch the changes that happened while no stream was open.
                fetchChanges()
                wasConnected = await readEvents(events)
            } catch {}
            guard !Task.isCancelled else { return }
            failures = wasConnected ? 1 : failures + 1
            try? await clock.sleep(for: retryPolicy.delay(beforeAttempt: failures))
        }
    }

    /// Reads an event stream to its end, and fetches changes after each event that requires it.
    ///
    /// - Returns: Whether the stream sent an event or lasted at least a minute.
    private func readEvents(_ events: AsyncThrowingStream<StoreEvent, any Error>) async -> Bool {
        var hasReceivedEvent = false
        let length = await clock.measure {
            do {
                for try await event in events {
                    hasReceivedEvent = true
                    if event.kind.requiresDeviceSync { fetchChanges() }
                }
            } catch {}
        }
        return hasReceivedEvent || length >= .seconds(60)
    }
}

extension StoreEvent.Kind {
    /// Whether a device fetches changes after the event; the device knows the effect of its own requests.
    fileprivate var requiresDeviceSync: Bool {
        switch self {
        case .purchase, .renewal, .decision, .subscription, .refund, .refundReversal, .revocation, .server, .account, .promotion: true
        case .restore, .finish, .deferred, .interruption, .refusal, .refundRequest, .notification, .delivery, .clock, .fault: false
        }
    }
}
