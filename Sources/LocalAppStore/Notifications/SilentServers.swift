import Synchronization

/// The addresses at which nobody answered in one pass.
final class SilentServers: Sendable {
    private let addresses = Mutex<Set<NotificationAddress>>([])

    func insert(_ address: NotificationAddress) {
        addresses.withLock { _ = $0.insert(address) }
    }

    func contains(_ address: NotificationAddress) -> Bool {
        addresses.withLock { $0.contains(address) }
    }

    var isEmpty: Bool { addresses.withLock { $0.isEmpty } }
}
