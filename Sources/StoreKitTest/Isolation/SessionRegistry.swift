import OpenStoreKit
import Synchronization

/// The registry of live test sessions, in which StoreKit's static members find the device of the current test.
enum SessionRegistry {
    private struct Entry {
        weak var environment: TestEnvironment?
        let key: TestKey?
    }

    private static let entries = Mutex<[Entry]>([])
    /// The device of the sessions that were created outside of Swift Testing; nil before the first of these sessions.
    private static let shared = Mutex<Device?>(nil)

    /// Adds the environment of a new session, whose device becomes the current device of the test.
    ///
    /// - Parameter key: The test that created the session; nil outside of Swift Testing.
    static func add(_ environment: TestEnvironment, for key: TestKey?) {
        entries.withLock { entries in
            entries.removeAll { $0.environment == nil }
            entries.append(Entry(environment: environment, key: key))
        }
        if key == nil { shared.withLock { $0 = environment.device } }
        Device.testDeviceProvider.withLock { $0 = { currentDevice() } }
        Device.sharedTestDeviceProvider.withLock { $0 = { sharedDevice() } }
        Device.announceAvailability()
    }

    /// Removes the entry of a session that was deallocated.
    ///
    /// Other sessions that share the environment keep their entries.
    static func remove(_ environment: TestEnvironment) {
        entries.withLock { entries in
            if let index = entries.lastIndex(where: { $0.environment === environment }) { entries.remove(at: index) }
            entries.removeAll { $0.environment == nil }
        }
    }

    /// The environment of the newest live session that was created outside of Swift Testing; nil if no such session exists.
    static var liveEnvironment: TestEnvironment? {
        entries.withLock { $0.last { $0.key == nil && $0.environment != nil }?.environment }
    }

    /// Returns the device of the newest session of the current test.
    ///
    /// Outside of Swift Testing, returns the device of the newest session that was created there.
    ///
    /// A detached task has no current test. If no session was created outside of Swift Testing, the task uses the newest of all sessions.
    /// Between two tests of XCTest, the shared device stays the current device.
    static func currentDevice() -> Device? {
        let key = TestKey.current
        let found = entries.withLock { entries in
            let liveEntries = entries.filter { $0.environment != nil }
            return (liveEntries.last { $0.key == key } ?? (key == nil ? liveEntries.last : nil))?.environment?.device
        }
        return found ?? (key == nil ? shared.withLock { $0 } : nil)
    }

    /// Returns the device for a test without a session: the device of the newest session, or nil if sessions of several tests exist.
    ///
    /// As on Apple's platforms, sessions apply to the whole process if one test created them, or if all were created outside of Swift
    /// Testing. While sessions of several tests exist, no session is shared, so that parallel tests stay isolated.
    static func sharedDevice() -> Device? {
        let liveEntries = entries.withLock { entries in entries.filter { $0.environment != nil } }
        guard let newest = liveEntries.last, liveEntries.allSatisfy({ $0.key == newest.key }) else { return nil }
        return newest.environment?.device
    }
}
