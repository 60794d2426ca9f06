import Foundation
import PurchaseModel
import ServerProtocol
import Synchronization
import Wire

@testable import PurchaseKit

/// Ends an app session at a step that the simulation has chosen, as SIGKILL does: what was not durable is lost, and nothing follows.
final class SessionFuse: Sendable {
    /// The error of everything that a dead session tries.
    struct Dead: Error {}

    private struct State {
        /// The number of steps until the end; nil for a session that lives.
        var steps: Int?
        var isDead = false
    }

    private let state = Mutex(State())

    /// Ends the session after a number of further steps.
    func light(after steps: Int) {
        state.withLock { $0.steps = steps }
    }

    var isDead: Bool { state.withLock { $0.isDead } }

    /// Ends the session now.
    func kill() {
        state.withLock { $0.isDead = true }
    }

    /// Counts a step, and returns whether the session is dead.
    @discardableResult
    func burn() -> Bool {
        state.withLock { state in
            if let steps = state.steps {
                state.steps = steps - 1
                if steps <= 1 { state.isDead = true }
            }
            return state.isDead
        }
    }

    /// Counts a step, and never returns in a dead session.
    func step() async {
        guard burn() else { return }
        // The continuation of a killed process is never resumed.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
}

/// The disk of a simulated phone, which outlives its app sessions.
final class SimulatedDisk: Sendable {
    fileprivate let file = Mutex<Data?>(nil)
    fileprivate let secrets = Mutex<[String: Data]>([:])
}

/// The vault's file on a simulated disk; a session can end before, in the middle of, and after a write.
struct SimulatedFile: VaultStorage {
    let disk: SimulatedDisk
    let fuse: SessionFuse

    func read() throws -> Data? { disk.file.withLock { $0 } }

    func exists() -> Bool { disk.file.withLock { $0 != nil } }

    func create(_ contents: Data) throws { try replace(with: contents, of: nil) }

    func replace(with contents: Data, of length: Int?) throws {
        guard !fuse.burn() else { throw SessionFuse.Dead() }
        disk.file.withLock { $0 = contents }
        guard !fuse.burn() else { throw SessionFuse.Dead() }
    }

    func append(_ bytes: Data, at offset: Int) throws {
        guard !fuse.burn() else { throw SessionFuse.Dead() }
        let isTorn = fuse.burn()
        disk.file.withLock { file in
            file = (file ?? Data()).prefix(offset) + (isTorn ? bytes.prefix(bytes.count / 2) : bytes)
        }
        guard !isTorn, !fuse.burn() else { throw SessionFuse.Dead() }
    }

    func truncate(at offset: Int, of length: Int) throws {
        guard !fuse.isDead else { throw SessionFuse.Dead() }
        disk.file.withLock { $0 = $0?.prefix(offset) }
    }
}

/// The keychain of a simulated phone.
struct SimulatedKeychain: Keychain {
    let disk: SimulatedDisk
    let fuse: SessionFuse

    func secret(_ name: String) throws(VaultError) -> Data? { disk.secrets.withLock { $0[name] } }

    func set(_ secret: Data, for name: String, scope: KeychainScope) throws(VaultError) {
        guard !fuse.burn() else { throw .storage(reason: "dead") }
        disk.secrets.withLock { $0[name] = secret }
        guard !fuse.burn() else { throw .storage(reason: "dead") }
    }
}

/// The server's calls of an app session, which can end before and after the server has processed a call.
struct SimulatedConnection: PurchaseService {
    let service: StubPurchaseService
    let fuse: SessionFuse

    private func call<Reply>(_ body: () async throws(WireClientError) -> Reply) async throws(WireClientError) -> Reply {
        await fuse.step()
        do {
            let reply = try await body()
            await fuse.step()
            return reply
        } catch {
            await fuse.step()
            throw error
        }
    }

    func submit(_ transactions: [SignedTransaction]) async throws(WireClientError) -> SubmitPurchasesReply {
        try await call { () async throws(WireClientError) in try await service.submit(transactions) }
    }

    func entitlements() async throws(WireClientError) -> EntitlementsReply {
        try await call { () async throws(WireClientError) in try await service.entitlements() }
    }

    func balances() async throws(WireClientError) -> BalancesReply {
        try await call { () async throws(WireClientError) in try await service.balances() }
    }

    func debit(_ request: DebitRequest) async throws(WireClientError) -> LedgerReply {
        try await call { () async throws(WireClientError) in try await service.debit(request) }
    }

    func lease(_ request: LeaseRequest) async throws(WireClientError) -> LeaseReply {
        try await call { () async throws(WireClientError) in try await service.lease(request) }
    }

    func products() async throws(WireClientError) -> ServerProductsReply {
        try await call { () async throws(WireClientError) in try await service.products() }
    }
}
