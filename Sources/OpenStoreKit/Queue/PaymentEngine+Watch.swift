import PurchaseModel
import PurchaseProtocol
import WireClient

extension PaymentEngine {
    /// Listens to the store's event stream for the account, so that changes arrive while the app runs.
    func startWatching() {
        guard launched, !ended, watching == nil, session.isSignedIn else { return }
        watches += 1
        watching = Task { [weak self, watches] in
            await self?.watch()
            await self?.watchingEnded(watches)
        }
    }

    /// Handles the end of a watch; the end of a replaced watch does not affect its successor.
    private func watchingEnded(_ number: Int) {
        if number == watches { watching = nil }
    }

    /// Listens while an account is signed in, with growing waits after streams on which the store sends nothing.
    ///
    /// The waits are independent of the queue's retries. A stream that shows that the store is reachable starts one retry of the queue at
    /// once.
    private func watch() async {
        var failures = 0
        while !ended, !Task.isCancelled, session.isSignedIn {
            var hasWorked = false
            do {
                guard let events = try await session.events() else { return }
                // Fetch the changes that happened while no stream was open.
                submit(.news)
                hasWorked = await hear(events)
            } catch {}
            guard !ended, !Task.isCancelled else { return }
            failures = hasWorked ? 1 : failures + 1
            try? await clock.sleep(for: retryPolicy.delay(beforeAttempt: failures))
        }
    }

    /// Reads a stream to its end; returns whether the stream sent an event or lasted at least a minute.
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
    /// Whether the event concerns changes that a device has to fetch; a device already knows the changes that it made itself.
    fileprivate var concernsDevices: Bool {
        switch self {
        case .purchase, .renewal, .decision, .subscription, .refund, .refundReversal, .revocation, .server, .account, .promotion: true
        case .restore, .finish, .deferred, .interruption, .refusal, .refundRequest, .notification, .delivery, .clock, .fault: false
        }
    }
}
