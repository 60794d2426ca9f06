public import Foundation

/// Where a download stands; raw values are Apple's.
public enum SKDownloadState: Int, Codable, Sendable {
    /// Not begun, or waiting for its turn or for the network.
    case waiting = 0
    /// Bytes are coming.
    case active = 1
    /// Resting until the app resumes it.
    case paused = 2
    /// All is there.
    case finished = 3
    /// It can't be had.
    case failed = 4
    /// Ended by the app.
    case cancelled = 5
}

/// The time that remains when it can't be told.
public let SKDownloadTimeRemainingUnknown: TimeInterval = -1
