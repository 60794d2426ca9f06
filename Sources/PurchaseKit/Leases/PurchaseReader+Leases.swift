import MessageSignatures
import PurchaseModel
import ServerProtocol
import Wire

/// The requests for the customer's lease, which the vault stores.
extension PurchaseReader {
    /// Returns whether the customer's lease is in the first half of its duration, and states the same entitlements as the server's answer.
    func hasLease(of entitlements: [EntitlementReply], _ verifier: LeaseVerifier) async -> Bool {
        guard let lease = lease(in: await vault.contents, verifier), clock.now < lease.renewalDate else { return false }
        let active = entitlements.filter(\.isActive).prefix(LeasePayload.maximumEntitlements)
        return Set(active.map { LeasedEntitlement($0.name.rawValue, until: $0.until) }) == Set(lease.entitlements)
    }

    /// Requests and stores a lease for this device.
    ///
    /// If no lease can be obtained or verified, the stored lease stays valid until its expiration.
    ///
    /// - Throws: The error of the request.
    func readLease(_ verifier: LeaseVerifier) async throws(WireClientError) {
        guard let service else { return }
        let deviceKey = vault.deviceKey
        let reply = try await service.lease(LeaseRequest(deviceKey: deviceKey.rawValue))
        let signed = SignedLease(reply.lease)
        guard let lease = try? verifier.verify(signed, deviceKey: deviceKey, at: clock.now) else { return }
        clock.raise(to: lease.payload.issuedAt)
        // Store an unchanged lease only after half of the stored lease's duration, to save a write at most launches.
        if let known = self.lease(in: await vault.contents, verifier), known.entitlements == lease.payload.entitlements,
            known.balances == lease.payload.balances, clock.now < known.renewalDate
        {
            return
        }
        _ = try? await vault.change(in: session, isOfCustomer: true) { _ throws(VaultError) in
            [.lease(signed), .time(lease.payload.issuedAt)]
        }
    }

    /// Returns the claims of the customer's lease on this device; nil without a valid lease.
    func lease(in contents: VaultContents, _ verifier: LeaseVerifier) -> LeasePayload? {
        guard let signed = contents.lease,
            let lease = try? verifier.verify(signed, deviceKey: vault.deviceKey, at: clock.now).payload,
            session.customer.map({ $0 == lease.customer }) ?? true
        else { return nil }
        return lease
    }
}
