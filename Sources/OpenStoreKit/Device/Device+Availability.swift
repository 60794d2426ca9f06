/// Support for listeners that start before a device is configured.
extension Device {
    private static let availability = Broadcast<Void>()

    /// Notifies waiting callers that a current device may exist for them now.
    package static func announceAvailability() {
        availability.announce((), buffering: false)
    }

    /// Waits for a current device; nil when the task is canceled first.
    ///
    /// A shared test device does not count: a listener from before a test's session would receive, and finish, another test's transactions.
    package static func nextAvailable() async -> Device? {
        while true {
            // Listening starts before the check, so that no announcement between the two is missed.
            var availability = availability.stream().makeAsyncIterator()
            if let device = unshared { return device }
            guard await availability.next() != nil else { return nil }
        }
    }
}
