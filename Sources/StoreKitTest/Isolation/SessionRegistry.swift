import OpenStoreKit
import Synchronization

/// The registry of sessions and their tests, with which StoreKit's static members find the current device.
enum SessionRegistry {
    private struct Entry {
        weak var environment: TestEnvironment?
        let key: TestKey?
    }

    private static let entries = Mutex<[Entry]>([])
    /// The device of sessions that were created outside of Swift Testing; nil until the first one.
    private static let shared = Mutex<Device?>(nil)

    /// Adds a session's environment, whose device becomes the current device of the test.
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

    /// Removes one entry of an environment; other sessions that share the environment keep their entries.
    static func remove(_ environment: TestEnvironment) {
        entries.withLock { entries in
            if let index = entries.lastIndex(where: { $0.environment === environment }) { entries.remove(at: index) }
            entries.removeAll { $0.environment == nil }
        }
    }

    /// The environment of the newest live session that was created outside of Swift Testing.
    static var liveEnvironment: TestEnvironment? {
        entries.withLock { $0.last { $0.key == nil && $0.environment != nil }?.environment }
    }

    /// The device of the newest session of the current test, or of sessions outside of Swift Testing when there is no current test.
    ///
    /// A detached task has no current test, and uses the newest of all sessions when there is none outside of Swift Testing. Between two
    /// tests of XCTest, the device stays the current one.
    static func currentDevice() -> Device? {
        let key = TestKey.current
        let found = entries.withLock { entries in
            let liveEntries = entries.filter { $0.environment != nil }
            return (liveEntries.last { $0.key == key } ?? (key == nil ? liveEntries.last : nil))?.environment?.device
        }
        return found ?? (key == nil ? shared.withLock { $0 } : nil)
    }

    /// The device for a test without a session, when all live sessions belong to one test or were created outside of Swift Testing.
    ///
    /// These sessions are the test environment, as on Apple's platforms. While sessions of several tests exist, none is shared, so that
    /// parallel tests stay isolated.
    static func sharedDevice() -> Device? {
        let liveEntries = entries.withLock { entries in entries.filter { $0.environment != nil } }
        guard let newest = liveEntries.last, liveEntries.allSatisfy({ $0.key == newest.key }) else { return nil }
        return newest.environment?.device
    }
}
