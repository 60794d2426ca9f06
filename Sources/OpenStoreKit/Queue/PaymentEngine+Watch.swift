import PurchaseModel
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

    private func watch() async {
        var failures = 0
        while !ended, !Task.isCancelled, session.isSignedIn {
            do {
                guard let events = try await session.events() else { return }
                failures = 0
                // What happened while nobody listened is asked for.
                submit(.retry)
                for try await event in events where event.kind.concernsDevices { submit(.retry) }
            } catch {}
            guard !ended, !Task.isCancelled else { return }
            failures += 1
            try? await clock.sleep(for: retryPolicy.delay(beforeAttempt: failures))
        }
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
