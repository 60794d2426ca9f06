import PurchaseModel
import PurchaseProtocol
import WireClient

extension PaymentEngine {
    /// Listens to what happens to the account at the store, so that news come while the app runs.
    func startWatching() {
        guard launched, !ended, watching == nil, session.isSignedIn else { return }
        watches += 1
        watching = Task { [weak self, watches] in
            await self?.watch()
            await self?.watchingEnded(watches)
        }
    }

    /// The end of a watch that was replaced is not the end of its successor.
    private func watchingEnded(_ number: Int) {
        if number == watches { watching = nil }
    }

    /// Listens as long as somebody is signed in, with growing waits between streams that the store says nothing in.
    ///
    /// The waits are its own: the queue's go on as if nobody listened, but for an attempt at once when the store shows that it is there.
    private func watch() async {
        var failures = 0
        while !ended, !Task.isCancelled, session.isSignedIn {
            var hasWorked = false
            do {
                guard let events = try await session.events() else { return }
                // What happened while nobody listened is asked for.
                submit(.news)
                hasWorked = await hear(events)
            } catch {}
            guard !ended, !Task.isCancelled else { return }
            failures = hasWorked ? 1 : failures + 1
            try? await clock.sleep(for: retryPolicy.delay(beforeAttempt: failures))
        }
    }

    /// Hears what a stream says until it ends; whether it has said something, or lasted a minute at least.
    private func hear(_ events: AsyncThrowingStream<StoreEvent, any Error>) async -> Bool {
        var hasSpoken = false
        let length = await clock.measure {
            do {
                for try await event in events {
                    hasSpoken = true
                    if event.kind.concernsDevices { submit(.news) }
                }
            } catch {}
        }
        return hasSpoken || length >= .seconds(60)
    }
}

extension StoreEvent.Kind {
    /// Whether a device has to ask the store what changed; what it did itself it knows.
    fileprivate var concernsDevices: Bool {
        switch self {
        case .purchase, .renewal, .decision, .subscription, .refund, .refundReversal, .revocation, .server, .account, .promotion: true
        case .restore, .finish, .deferred, .interruption, .refusal, .refundRequest, .notification, .delivery, .clock, .fault: false
        }
    }
}
