import Foundation
import PurchaseKit
import Synchronization

/// A keychain in memory with simulated write failures.
final class MemoryKeychain: Keychain {
    private struct State {
        var secrets: [String: Data] = [:]
        var scopes: [String: KeychainScope] = [:]
        var failing: Set<String> = []
        var writes: [String] = []
    }

    private let state = Mutex(State())

    /// The secrets, by name.
    var secrets: [String: Data] {
        get { state.withLock { $0.secrets } }
        set { state.withLock { $0.secrets = newValue } }
    }

    /// The names of all write attempts, in order.
    var writes: [String] { state.withLock { $0.writes } }

    /// The keychain of another device to which an encrypted backup of this one is restored.
    func onNewDevice() -> MemoryKeychain {
        let copy = MemoryKeychain()
        copy.secrets = state.withLock { state in state.secrets.filter { state.scopes[$0.key] == .backup } }
        return copy
    }

    /// Sets the names whose writes fail.
    func fail(_ names: Set<String>) {
        state.withLock { $0.failing = names }
    }

    func secret(_ name: String) throws(VaultError) -> Data? {
        state.withLock { $0.secrets[name] }
    }

    func set(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) {
        let failed = state.withLock { state in
            state.writes.append(name)
            guard !state.failing.contains(name) else { return true }
            (state.secrets[name], state.scopes[name]) = (secret, scope)
            return false
        }
        if failed { throw .storage(reason: "The keychain refused the write.") }
    }
}
