import Foundation

/// A source of the current time.
///
/// Every type that needs the time has a clock as a parameter, so that tests and the local store can stop, advance and rewind time.
public protocol WallClock: Sendable {
    /// The current time.
    var now: Timestamp { get }
}

/// A clock that returns the time of the operating system.
public struct SystemWallClock: WallClock {
    /// Creates a system clock.
    public init() {}

    /// The current time of the operating system.
    public var now: Timestamp { Timestamp(Date()) }
}
