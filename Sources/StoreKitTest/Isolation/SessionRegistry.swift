import OpenStoreKit
import Synchronization

/// Which sessions there are, and which test each was made in: by it StoreKit's static members find their device.
enum SessionRegistry {
    private struct Entry {
        weak var environment: TestEnvironment?
        let key: TestKey?
    }

    private static let entries = Mutex<[Entry]>([])
    /// The device of sessions that were made in no test of Swift Testing, once there was one.
    private static let shared = Mutex<Device?>(nil)

    /// Adds a session's environment; its device is the current one of the test that runs here.
    static func add(_ environment: TestEnvironment, for key: TestKey?) {
        entries.withLock { entries in
            entries.removeAll { $0.environment == nil }
            entries.append(Entry(environment: environment, key: key))
        }
        if key == nil { shared.withLock { $0 = environment.device } }
        Device.finder.withLock { $0 = { find() } }
        Device.lender.withLock { $0 = { lend() } }
        Device.hasArrived()
    }

    /// Removes a session's environment; those that share it keep it.
    static func remove(_ environment: TestEnvironment) {
        entries.withLock { entries in
            if let index = entries.lastIndex(where: { $0.environment === environment }) { entries.remove(at: index) }
            entries.removeAll { $0.environment == nil }
        }
    }

    /// The environment of the newest session that was made in no test of Swift Testing and lives still.
    static var living: TestEnvironment? {
        entries.withLock { $0.last { $0.key == nil && $0.environment != nil }?.environment }
    }

    /// The device of the newest session that was made in the test that runs here, or like here in none.
    ///
    /// A detached task knows of no test; where no session was made in none, it gets the newest of all. Between two tests of XCTest it
    /// is the device of both.
    static func find() -> Device? {
        let key = TestKey.current
        let found = entries.withLock { entries in
            let living = entries.filter { $0.environment != nil }
            return (living.last { $0.key == key } ?? (key == nil ? living.last : nil))?.environment?.device
        }
        return found ?? (key == nil ? shared.withLock { $0 } : nil)
    }

    /// The device for a test that made no session, when all living sessions belong to one test or were made in none.
    ///
    /// They are the test environment then, as on Apple's platforms. Sessions of several tests are not lent, so that tests side by side
    /// never meet.
    static func lend() -> Device? {
        let living = entries.withLock { entries in entries.filter { $0.environment != nil } }
        guard let newest = living.last, living.allSatisfy({ $0.key == newest.key }) else { return nil }
        return newest.environment?.device
    }
}
