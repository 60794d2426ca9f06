extension SKTestSession {
    /// Has a part of StoreKit fail from now on; nil for what really happens.
    public func setSimulatedError<API: FailableStoreKitAPI>(_ error: API.Failure?, forAPI api: API) async throws {
        guard let simulated = API.self as? any SimulatedAPI.Type else { throw SKTestError(.invalidAction) }
        try simulate(error, for: simulated)
    }

    /// What a part of StoreKit is made to fail with; nil for what really happens.
    public func simulatedError<API: FailableStoreKitAPI>(forAPI api: API) async -> API.Failure? {
        failures.error(for: api)
    }

    private func simulate<API: SimulatedAPI>(_ error: (any SKTestFailure)?, for api: API.Type) throws {
        guard let error else { return failures.set(nil, for: api, on: environment.device) }
        guard let failure = error as? API.Failure else { throw SKTestError(.invalidAction) }
        failures.set(failure, for: api, on: environment.device)
    }
}
