/// Waiting for a device: an app may listen before a device is configured.
extension Device {
    private static let arrivals = Broadcast<Void>()

    /// Notifies waiting callers that a current device may exist for them now.
    package static func hasArrived() {
        arrivals.tell((), keeping: false)
    }

    /// The device that is current here, as soon as there is one; nil when the task is canceled before.
    ///
    /// A lent device does not count: a listener from before a test's session would receive, and finish, the transactions of another test.
    package static func arrival() async -> Device? {
        while true {
            // Listening starts before the check, so that no arrival is missed between the two.
            var arrivals = arrivals.stream().makeAsyncIterator()
            if let device = own { return device }
            guard await arrivals.next() != nil else { return nil }
        }
    }
}
