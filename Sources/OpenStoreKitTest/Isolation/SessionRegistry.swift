import OpenStoreKit
import Synchronization

/// Which sessions there are, and which test each was made in: by it StoreKit's static members find their device.
enum SessionRegistry {
    private struct Entry {
        weak var environment: TestEnvironment?
        let key: TestKey?
    }

    private static let entries = Mutex<[Entry]>([])

    /// Adds a session's environment; its device is the current one of the test that runs here.
    static func add(_ environment: TestEnvironment, for key: TestKey?) {
        entries.withLock { entries in
            entries.removeAll { $0.environment == nil }
            entries.append(Entry(environment: environment, key: key))
        }
        Device.finder.withLock { $0 = { find() } }
    }

    /// Removes a session's environment.
    static func remove(_ environment: TestEnvironment) {
        entries.withLock { $0.removeAll { $0.environment == nil || $0.environment === environment } }
    }

    /// The device of the newest session of the test that runs here; outside of tests, that of the newest session.
    static func find() -> Device? {
        guard entries.withLock({ !$0.isEmpty }) else { return nil }
        let key = TestKey.current
        return entries.withLock { entries in
            entries.last { (key == nil || $0.key == key) && $0.environment != nil }?.environment?.device
        }
    }
}
