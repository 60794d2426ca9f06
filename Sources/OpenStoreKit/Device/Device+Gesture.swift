extension Device {
    @TaskLocal static var isUserGesture = false

    /// Runs what a user has asked for by a gesture, such as the tap on a button *Restore purchases*.
    ///
    /// Restores and refreshes outside of it are reported (``DeviceConfiguration/report``), because a sign-in out of nothing is what users
    /// complain of.
    public static func withUserGesture<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $isUserGesture.withValue(true, operation: body)
    }

    /// Runs what a user has asked for by a gesture, such as the tap on a button *Restore purchases*, where the caller runs.
    public static func withUserGesture<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $isUserGesture.withValue(true, operation: body)
    }
}
