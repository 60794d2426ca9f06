extension SKTestSession {
    /// Sets the error that a StoreKit API throws from now on; nil ends the simulation.
    public func setSimulatedError<API: FailableStoreKitAPI>(_ error: API.Failure?, forAPI api: API) async throws {
        guard let simulated = API.self as? any SimulatedAPI.Type else { throw SKTestError(.invalidAction) }
        try simulate(error, for: simulated)
    }

    /// Returns the error that the session simulates for a StoreKit API; returns nil if it simulates none.
    public func simulatedError<API: FailableStoreKitAPI>(forAPI api: API) async -> API.Failure? {
        failures.error(for: api)
    }

    private func simulate<API: SimulatedAPI>(_ error: (any SKTestFailure)?, for api: API.Type) throws {
        guard let error else { return failures.set(nil, for: api, on: environment.device) }
        guard let failure = error as? API.Failure else { throw SKTestError(.invalidAction) }
        failures.set(failure, for: api, on: environment.device)
    }
}
