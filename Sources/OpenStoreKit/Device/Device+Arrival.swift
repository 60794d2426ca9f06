/// Waiting for a device: an app may listen before anybody has said which device it runs on.
extension Device {
    private static let arrivals = Broadcast<Void>()

    /// Tells those who wait that there may be a current device for them now.
    package static func hasArrived() {
        arrivals.tell((), keeping: false)
    }

    /// The device that is current here, as soon as there is one; nil when the task is cancelled before.
    ///
    /// A lent one is not waited for: who listens before a test has made its session would hear, and finish, what is another test's.
    package static func arrival() async -> Device? {
        while true {
            // Listening comes before looking, so that none arrives between the two.
            var arrivals = arrivals.stream().makeAsyncIterator()
            if let device = own { return device }
            guard await arrivals.next() != nil else { return nil }
        }
    }
}
