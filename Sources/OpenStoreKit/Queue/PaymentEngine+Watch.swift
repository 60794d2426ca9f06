import PurchaseModel
import PurchaseProtocol
import WireClient

extension PaymentEngine {
    /// Starts listening to the store's event stream for the account, so that changes are fetched while the app runs.
    func startWatching() {
        guard isLaunched, !hasEnded, watching == nil, session.isSignedIn else { return }
        watchNumber += 1
        watching = Task { [weak self, watchNumber] in
            await self?.watch()
            await self?.watchingEnded(watchNumber)
        }
    }

    /// Marks the event stream as closed, unless another watch has started since the watch with this number.
    private func watchingEnded(_ number: Int) {
        if number == watchNumber { watching = nil }
    }

    /// Listens to the event stream while an account is signed in, and reconnects with increasing delays.
    ///
    /// The delays are independent of the payment queue's retries. When a stream opens, the engine fetches changes at once.
    private func watch() async {
        var failures = 0
        while !hasEnded, !Task.isCancelled, session.isSignedIn {
            var wasConnected = false
            do {
                guard let events = try await session.events() else { return }
                // Fetch the changes that happened while no stream was open.
                submit(.fetchChanges)
                wasConnected = await readEvents(events)
            } catch {}
            guard !hasEnded, !Task.isCancelled else { return }
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
                    if event.kind.requiresDeviceSync { submit(.fetchChanges) }
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
