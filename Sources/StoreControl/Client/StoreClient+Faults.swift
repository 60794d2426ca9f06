public import StoreProtocol
import Wire

extension StoreClient {
    /// Lists the enabled faults, oldest first.
    ///
    /// - Returns: The faults with their identifiers and the remaining number of times that they take effect.
    public func faults() async throws(StoreControlError) -> [EnabledFault] {
        try await call(ControlEndpoints.faults).faults
    }

    /// Enables a fault: a failure that the store simulates.
    ///
    /// A fault without `count` stays until ``disable(_:)`` or ``disableFaults()``. Faults never take effect in the control API.
    ///
    /// - Parameter fault: The fault.
    /// - Returns: The fault with its identifier.
    /// - Throws: `refused` for a fault that the store can't simulate.
    @discardableResult
    public func enable(_ fault: Fault) async throws(StoreControlError) -> EnabledFault {
        try await call(ControlEndpoints.setFault, fault)
    }

    /// Disables a fault; the call has no effect on a fault that is not enabled.
    ///
    /// - Parameter id: The identifier of the fault, from ``enable(_:)``.
    public func disable(_ id: Int64) async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.clearFault, ["fault": "\(id)"])
    }

    /// Disables all faults.
    public func disableFaults() async throws(StoreControlError) {
        _ = try await call(ControlEndpoints.clearFaults)
    }

    /// Enables a fault, calls `body`, and disables the fault, with one request before and one after `body`.
    ///
    /// The fault is disabled also if `body` throws or the task is canceled.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - body: The code that runs while the fault is enabled.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or ``StoreControlError`` if the fault can't be enabled.
    @discardableResult
    public func withFault<Result>(_ fault: Fault, _ body: () async throws -> Result) async throws -> Result {
        let id = try await enable(fault).id
        let result: Result
        do { result = try await body() } catch {
            await withoutCancellation { try? await disable(id) }
            throw error
        }
        await withoutCancellation { try? await disable(id) }
        return result
    }

    private func withoutCancellation(_ clean: @escaping @Sendable () async -> Void) async {
        await Task { await clean() }.value
    }
}
