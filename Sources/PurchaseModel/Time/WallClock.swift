import Foundation

/// A source of the current time.
///
/// Each component receives its clock as a parameter, so that tests and the local store can stop, advance and rewind the time.
public protocol WallClock: Sendable {
    /// The current time.
    var now: Timestamp { get }
}

/// The system clock.
public struct SystemWallClock: WallClock {
    /// Creates a system clock.
    public init() {}

    /// The current time of the system.
    public var now: Timestamp { Timestamp(Date()) }
}
