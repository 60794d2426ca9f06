import AppStoreServerAPI
import PurchaseModel
import PurchaseStorage

extension ReconciliationProgress {
    /// The time in seconds before ``completeUntil`` for which a run requests notifications again.
    ///
    /// The clocks of the server and of the App Store differ, and a notification can enter the history after its signature date.
    static let overlapSeconds: Int64 = 3_600
    /// The length of one window in days.
    ///
    /// The App Store lists the newest notifications of a window first, so only a completely read window advances ``completeUntil``.
    static let windowDays: Int64 = 7
    /// The time in days that the last window extends into the future, for an App Store whose clock is ahead, such as a local store.
    static let futureDays: Int64 = 365

    /// Begins a run with the unfinished window of the last run, or with a new window.
    ///
    /// The App Store stores notifications for 180 days. After a longer gap, the run begins with the earliest available notification.
    ///
    /// - Parameters:
    ///   - since: The earliest signature date to request; nil to begin at ``completeUntil``.
    ///   - now: The current date.
    mutating func begin(since: Timestamp? = nil, at now: Timestamp) {
        // Begin an hour after the App Store's limit, because the limit advances until the request arrives.
        let earliest = now.adding(days: -NotificationHistoryRequest.maximumAgeInDays).adding(seconds: 3_600)
        if let since, since < completeUntil ?? .init(milliseconds: .max) {
            completeUntil = since
            if let window, window.start > since { self.window = nil }
        }
        // If the clock was set back, begin at the clock's date, so that the run skips no notification.
        let complete = max(min(completeUntil ?? earliest, now), earliest)
        completeUntil = complete
        if let window, window.start >= earliest { return }
        let start = max(earliest, complete.adding(seconds: -Self.overlapSeconds))
        window = HistoryWindow(from: start, until: now)
    }

    /// Ends the current window, and begins the next window if the current one ends before `until`.
    mutating func finishWindow(until: Timestamp) {
        guard let window else { return }
        // Do not advance ``completeUntil`` beyond a window with an unverified notification.
        if window.isVerified, let complete = completeUntil, complete >= window.start { completeUntil = max(complete, window.end) }
        self.window = window.end < until ? HistoryWindow(from: window.end, until: until) : nil
    }
}

extension HistoryWindow {
    /// Creates the window that begins at a date, one of several windows until `until`.
    fileprivate init(from start: Timestamp, until: Timestamp) {
        let end = start.adding(days: ReconciliationProgress.windowDays)
        let isLast = end >= until
        self.init(
            start: start, end: isLast ? until : end,
            requestedEnd: isLast ? until.adding(days: ReconciliationProgress.futureDays) : end)
    }

    /// The window at its first page, for reading the window again.
    var restarted: HistoryWindow { HistoryWindow(start: start, end: end, requestedEnd: requestedEnd) }

    /// The request for the pages of the window.
    var request: NotificationHistoryRequest { NotificationHistoryRequest(startDate: start, endDate: requestedEnd) }
}
