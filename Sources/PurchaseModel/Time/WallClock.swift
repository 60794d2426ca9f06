import Foundation

/// Where the current time comes from.
///
/// Every part that asks for the time takes a clock, so that tests and the local store can stop, jump and rewind it.
public protocol WallClock: Sendable {
    /// The current time.
    var now: Timestamp { get }
}

/// The machine's own time.
public struct SystemWallClock: WallClock {
    /// Creates the machine's clock.
    public init() {}

    /// The machine's current time.
    public var now: Timestamp { Timestamp(Date()) }
}
