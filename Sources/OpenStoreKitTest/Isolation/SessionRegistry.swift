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

    /// The device of the newest session that was made in the test that runs here, or like here in none.
    ///
    /// A detached task knows of no test; where no session was made in none, it gets the newest of all.
    static func find() -> Device? {
        guard entries.withLock({ !$0.isEmpty }) else { return nil }
        let key = TestKey.current
        return entries.withLock { entries in
            let living = entries.filter { $0.environment != nil }
            let found = living.last { $0.key == key } ?? (key == nil ? living.last : nil)
            return found?.environment?.device
        }
    }
}
