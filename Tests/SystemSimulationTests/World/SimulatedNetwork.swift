import Synchronization

/// Carries the messages between devices, store and server, and loses, doubles and delays those that a script names.
final class SimulatedNetwork: Sendable {
    /// A connection between two parties.
    enum Link: Hashable, Sendable {
        /// From a device to the store.
        case store(device: Int)
        /// From an app on a device to the developer's server.
        case server(device: Int)
        /// From the store to the developer's server: its notifications.
        case notifications
        /// From the developer's server to the store: the App Store Server API.
        case serverAPI
    }

    /// A fault of one message.
    enum Fault: String, CaseIterable, Sendable {
        /// The request does not arrive.
        case lostRequest = "lost-request"
        /// The request is processed, and its reply does not arrive.
        case lostReply = "lost-reply"
        /// The request arrives twice, and the second reply counts.
        case doubled
        /// The sender receives no reply, and the request arrives in one of the next steps.
        case late
    }

    /// The error of a message without a reply.
    struct Unreachable: Error {}

    private struct PlannedFault {
        let fault: Fault
        /// The number of messages that pass before the fault.
        var skipped: Int
    }

    private struct State {
        var offline: Set<Link> = []
        var planned: [Link: [PlannedFault]] = [:]
        var late: [(due: Int, send: @Sendable () async -> Void)] = []
        var step = 0
        /// The number of messages that were sent.
        var messages = 0
    }

    /// The number of steps after which a late message arrives.
    private static let delay = 2

    private let state = Mutex(State())

    var messages: Int { state.withLock { $0.messages } }

    func set(_ link: Link, offline: Bool) {
        state.withLock { state in
            if offline { state.offline.insert(link) } else { state.offline.remove(link) }
        }
    }

    /// Plans a fault of a message on a link, after a number of messages that pass.
    func plan(_ fault: Fault, on link: Link, after skipped: Int) {
        state.withLock { $0.planned[link, default: []].append(PlannedFault(fault: fault, skipped: skipped)) }
    }

    /// Removes all faults and reconnects all links.
    func heal() {
        state.withLock { state in
            state.offline = []
            state.planned = [:]
        }
    }

    /// Begins the next step, and delivers the late messages that are due, or all of them.
    func beginStep(deliveringAll: Bool = false) async {
        let due = state.withLock { state in
            state.step += 1
            let due = state.late.filter { deliveringAll || $0.due <= state.step }
            state.late.removeAll { deliveringAll || $0.due <= state.step }
            return due
        }
        for message in due { await message.send() }
    }

    /// Sends a message over a link.
    ///
    /// - Throws: ``Unreachable`` without a reply, or the error of `send`.
    func carry<Reply: Sendable>(on link: Link, _ send: @escaping @Sendable () async throws -> Reply) async throws -> Reply {
        let (isOffline, fault) = state.withLock { state -> (Bool, Fault?) in
            state.messages += 1
            if state.offline.contains(link) { return (true, nil) }
            guard let planned = state.planned[link]?.first else { return (false, nil) }
            guard planned.skipped == 0 else {
                state.planned[link]?[0].skipped -= 1
                return (false, nil)
            }
            state.planned[link]?.removeFirst()
            if planned.fault == .late { state.late.append((state.step + Self.delay, { _ = try? await send() })) }
            return (false, planned.fault)
        }
        if isOffline { throw Unreachable() }
        switch fault {
        case nil: return try await send()
        case .lostRequest, .late: throw Unreachable()
        case .lostReply:
            _ = try? await send()
            throw Unreachable()
        case .doubled:
            _ = try? await send()
            return try await send()
        }
    }
}
