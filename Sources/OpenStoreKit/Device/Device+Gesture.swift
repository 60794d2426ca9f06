extension Device {
    @TaskLocal static var isUserGesture = false

    /// Runs a request that a user made with a gesture, such as a tap on a button *Restore purchases*.
    ///
    /// Restores and refreshes outside of this call are reported (``DeviceConfiguration/report``), because they may show unexpected sign-in
    /// prompts.
    public static func withUserGesture<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $isUserGesture.withValue(true, operation: body)
    }

    /// Runs a request that a user made with a gesture, such as a tap on a button *Restore purchases*, on the caller's actor.
    public static func withUserGesture<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $isUserGesture.withValue(true, operation: body)
    }
}
